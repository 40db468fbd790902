import CCurl

/// The address of a remote store, its credentials kept apart so that no message can show them.
struct RemoteAddress: Sendable, CustomStringConvertible {
  /// `http://host/path` or `https://…`, without credentials and without `/` at the end.
  let description: String
  let user: String?
  let password: String?

  /// Takes an address apart with libcurl's own parser, so that both see the same host.
  init(_ text: String) throws(StoreError) {
    // An address that cannot be taken apart may hold a password.
    let hidden = "the address given"
    guard Curl.fault == nil, let parts = unsafe ingot_curl_url() else {
      throw .badAddress(hidden, reason: Curl.fault ?? "there is no memory to read it")
    }
    defer { unsafe ingot_curl_url_cleanup(parts) }
    let code = unsafe ingot_curl_url_set(parts, CURLUPART_URL, text, 0)
    guard code == CURLUE_OK else {
      throw .badAddress(hidden, reason: Curl.text(of: code))
    }
    user = unsafe RemoteAddress.part(parts, CURLUPART_USER, CURLU_URLDECODE)
    password = unsafe RemoteAddress.part(parts, CURLUPART_PASSWORD, CURLU_URLDECODE)
    for credential in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS] {
      unsafe ingot_curl_url_set(parts, credential, nil, 0)
    }
    let shown = unsafe RemoteAddress.part(parts, CURLUPART_URL, 0) ?? ""
    let scheme = unsafe RemoteAddress.part(parts, CURLUPART_SCHEME, 0) ?? ""
    guard ["http", "https"].contains(scheme) else {
      throw .badAddress(shown, reason: "its scheme is '\(scheme)', expected 'http' or 'https'")
    }
    for (extra, name) in [(CURLUPART_QUERY, "query"), (CURLUPART_FRAGMENT, "fragment")]
    where unsafe RemoteAddress.part(parts, extra, 0) != nil {
      throw .badAddress(shown, reason: "it has a \(name)")
    }
    description = RemoteAddress.withoutSlashAtEnd(shown)
  }

  private static func part(
    _ parts: OpaquePointer, _ part: CURLUPart, _ flags: Int32
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe ingot_curl_url_get(parts, part, &text, UInt32(flags)) == CURLUE_OK,
      let text = unsafe text
    else { return nil }
    defer { unsafe ingot_curl_free(text) }
    return unsafe String(cString: text)
  }

  private static func withoutSlashAtEnd(_ text: String) -> String {
    var bytes = Array(text.utf8)[...]
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
