import CCurl

/// libcurl, loaded only when a remote store is asked for.
enum Curl {
  /// Why libcurl cannot be used, or nil.
  static let fault: String? = unsafe ingot_curl_load().map { unsafe String(cString: $0) }

  /// The version of the library, such as `7.88.1`; nil when it cannot be used.
  static var version: String? {
    guard fault == nil else { return nil }
    let words = unsafe String(cString: ingot_curl_version()).split { $0 == "/" || $0 == " " }
    return words.count > 1 ? String(words[1]) : nil
  }

  /// libcurl's words for a code.
  static func text(of code: CURLcode) -> String {
    unsafe ingot_curl_easy_strerror(code).map { unsafe String(cString: $0).lowercased() }
      ?? "error \(code.rawValue)"
  }

  /// libcurl's words for a code of its reader of addresses.
  static func text(of code: CURLUcode) -> String {
    unsafe ingot_curl_url_strerror(code).map { unsafe String(cString: $0).lowercased() }
      ?? "error \(code.rawValue)"
  }
}
