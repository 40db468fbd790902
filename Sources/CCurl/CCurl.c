#include "CCurl.h"

#include <dlfcn.h>

#if defined(__APPLE__)
static const char *const names[] = {"/usr/lib/libcurl.4.dylib"};
#else
// The same functions; which TLS library does the work is the system's choice.
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

// Every function Ingot uses, each declared as libcurl declares it.
#define FUNCTIONS(each)                                                                    \
  each(global_init) each(free) each(easy_init) each(easy_cleanup) each(easy_reset)         \
      each(easy_perform) each(easy_strerror) each(easy_setopt) each(easy_getinfo) each(url) \
          each(url_cleanup) each(url_set) each(url_get) each(url_strerror) each(version)    \
              each(slist_append) each(slist_free_all)

#define DECLARE(name) __typeof__(&curl_##name) name;
static struct {
  FUNCTIONS(DECLARE)
} curl;

static void *open_library(void) {
  for (size_t index = 0; index < sizeof names / sizeof names[0]; ++index) {
    void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return 0;
}

const char *ingot_curl_load(void) {
  void *library = open_library();
  if (!library) return "libcurl is not installed";
#define FIND(name)                                                     \
  curl.name = (__typeof__(&curl_##name))dlsym(library, "curl_" #name); \
  if (!curl.name) return "libcurl is too old: it has no curl_" #name;
  FUNCTIONS(FIND)
  return curl.global_init(CURL_GLOBAL_ALL) == CURLE_OK ? 0 : "libcurl does not start";
}

const char *ingot_curl_version(void) { return curl.version(); }

CURL *ingot_curl_easy_init(void) { return curl.easy_init(); }
void ingot_curl_easy_cleanup(CURL *handle) { curl.easy_cleanup(handle); }
void ingot_curl_easy_reset(CURL *handle) { curl.easy_reset(handle); }
CURLcode ingot_curl_easy_perform(CURL *handle) { return curl.easy_perform(handle); }
const char *ingot_curl_easy_strerror(CURLcode code) { return curl.easy_strerror(code); }

CURLcode ingot_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl.easy_setopt(handle, option, value);
}

CURLcode ingot_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl.easy_setopt(handle, option, value);
}

CURLcode ingot_curl_set_sink(
    CURL *handle, size_t (*take)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_WRITEFUNCTION, take);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

CURLcode ingot_curl_set_header_sink(
    CURL *handle, size_t (*see)(char *, size_t, size_t, void *), void *context) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_HEADERFUNCTION, see);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

CURLcode ingot_curl_set_source(
    CURL *handle, size_t (*give)(char *, size_t, size_t, void *),
    int (*seek)(void *, curl_off_t, int), void *context, curl_off_t length) {
  CURLcode code = curl.easy_setopt(handle, CURLOPT_UPLOAD, 1L);
  if (code == CURLE_OK) code = curl.easy_setopt(handle, CURLOPT_INFILESIZE_LARGE, length);
  if (code == CURLE_OK) code = curl.easy_setopt(handle, CURLOPT_READFUNCTION, give);
  if (code == CURLE_OK) code = curl.easy_setopt(handle, CURLOPT_READDATA, context);
  if (code == CURLE_OK) code = curl.easy_setopt(handle, CURLOPT_SEEKFUNCTION, seek);
  return code != CURLE_OK ? code : curl.easy_setopt(handle, CURLOPT_SEEKDATA, context);
}

struct curl_slist *ingot_curl_field(const char *line) { return curl.slist_append(0, line); }
void ingot_curl_field_free(struct curl_slist *field) { curl.slist_free_all(field); }
CURLcode ingot_curl_set_field(CURL *handle, struct curl_slist *field) {
  return curl.easy_setopt(handle, CURLOPT_HTTPHEADER, field);
}

long ingot_curl_status(CURL *handle) {
  long status = 0;
  return curl.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}

bool ingot_curl_is_connected(CURL *handle) {
  curl_off_t microseconds = 0;
  CURLcode code = curl.easy_getinfo(handle, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return code == CURLE_OK && microseconds > 0;
}

curl_off_t ingot_curl_announced(CURL *handle) {
  curl_off_t length = -1;
  CURLcode code = curl.easy_getinfo(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
  return code == CURLE_OK ? length : -1;
}

CURLU *ingot_curl_url(void) { return curl.url(); }
void ingot_curl_url_cleanup(CURLU *parts) { curl.url_cleanup(parts); }
CURLUcode ingot_curl_url_set(
    CURLU *parts, CURLUPart part, const char *value, unsigned int flags) {
  return curl.url_set(parts, part, value, flags);
}
CURLUcode ingot_curl_url_get(CURLU *parts, CURLUPart part, char **value, unsigned int flags) {
  return curl.url_get(parts, part, value, flags);
}
const char *ingot_curl_url_strerror(CURLUcode code) { return curl.url_strerror(code); }
void ingot_curl_free(void *text) { curl.free(text); }
