#ifndef INGOT_CCURL_H
#define INGOT_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>

// libcurl, loaded when it is first needed: linked, it and the libraries behind it would make every
// run of the program start half as slow again.
//
// Functions are libcurl's own by another name, and may be called after `ingot_curl_load`. Those of a
// variable list of arguments, which Swift cannot call, have one here for each kind of argument.

#ifdef __cplusplus
extern "C" {
#endif

/// Loads libcurl and starts it; call it once. Returns null, or what is wrong.
const char *_Nullable ingot_curl_load(void);

/// The versions of libcurl and what is behind it: `libcurl/7.88.1 OpenSSL/3.0.17 …`.
const char *_Nonnull ingot_curl_version(void);

CURL *_Nullable ingot_curl_easy_init(void);
void ingot_curl_easy_cleanup(CURL *_Nonnull handle);
void ingot_curl_easy_reset(CURL *_Nonnull handle);
CURLcode ingot_curl_easy_perform(CURL *_Nonnull handle);
const char *_Nullable ingot_curl_easy_strerror(CURLcode code);

CURLcode ingot_curl_set_number(CURL *_Nonnull handle, CURLoption option, long value);

/// The text is copied.
CURLcode ingot_curl_set_text(
    CURL *_Nonnull handle, CURLoption option, const char *_Nonnull value);

/// What takes the body of an answer.
CURLcode ingot_curl_set_sink(
    CURL *_Nonnull handle,
    size_t (*_Nonnull take)(char *_Nullable, size_t, size_t, void *_Nullable),
    void *_Nonnull context);

/// What is shown each line of an answer's headers; it ends the request by another number than that of
/// the bytes it was shown.
CURLcode ingot_curl_set_header_sink(
    CURL *_Nonnull handle,
    size_t (*_Nonnull see)(char *_Nullable, size_t, size_t, void *_Nullable),
    void *_Nonnull context);

/// What gives the body of a PUT, `length` bytes, and what goes back in it to give some again.
CURLcode ingot_curl_set_source(
    CURL *_Nonnull handle,
    size_t (*_Nonnull give)(char *_Nullable, size_t, size_t, void *_Nullable),
    int (*_Nonnull seek)(void *_Nullable, curl_off_t, int), void *_Nonnull context,
    curl_off_t length);

/// A header field of a request, `If-Range: "x"`; to be freed once the request has ended. Null without memory.
struct curl_slist *_Nullable ingot_curl_field(const char *_Nonnull line);
void ingot_curl_field_free(struct curl_slist *_Nullable field);
CURLcode ingot_curl_set_field(CURL *_Nonnull handle, struct curl_slist *_Nullable field);

/// The status of the answer so far, 0 before there is one.
long ingot_curl_status(CURL *_Nonnull handle);

/// Whether a connection was made, and what is before a request on it.
bool ingot_curl_is_connected(CURL *_Nonnull handle);

/// The bytes that the answer's headers announce, -1 where they announce none.
curl_off_t ingot_curl_announced(CURL *_Nonnull handle);

CURLU *_Nullable ingot_curl_url(void);
void ingot_curl_url_cleanup(CURLU *_Nonnull parts);
CURLUcode ingot_curl_url_set(
    CURLU *_Nonnull parts, CURLUPart part, const char *_Nullable value, unsigned int flags);
CURLUcode ingot_curl_url_get(
    CURLU *_Nonnull parts, CURLUPart part, char *_Nullable *_Nonnull value, unsigned int flags);
const char *_Nullable ingot_curl_url_strerror(CURLUcode code);
void ingot_curl_free(void *_Nonnull text);

#ifdef __cplusplus
}
#endif

#endif
