package import CCurl
import Files

/// A handle of libcurl: one request at a time.
///
/// `@unchecked Sendable`: `HTTPClient` lends it to one thread at a time.
@safe final class HTTPHandle: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  init() throws(HTTPFailure) {
    guard Curl.fault == nil, let handle = unsafe ingot_curl_easy_init() else {
      throw HTTPFailure(answer: .failed(Curl.fault ?? "libcurl gives no handle"))
    }
    unsafe self.handle = unsafe handle
  }

  deinit { unsafe ingot_curl_easy_cleanup(handle) }

  /// Forgets every option; open connections stay.
  func reset() { unsafe ingot_curl_easy_reset(handle) }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPFailure) {
    try check(unsafe ingot_curl_set_number(handle, option, value))
  }

  func set(_ option: CURLoption, _ value: String) throws(HTTPFailure) {
    try check(unsafe ingot_curl_set_text(handle, option, value))
  }

  /// Performs a GET.
  func receive(into body: HTTPBody) throws(HTTPFailure) -> HTTPAnswer {
    try perform(into: body)
  }

  /// Performs a PUT. A body beside the status, such as some servers send, is passed over; one longer
  /// than any page ends the request.
  func send(_ file: MappedFile) throws(HTTPFailure) -> HTTPAnswer {
    let source = HTTPSource(file)
    let context = unsafe Unmanaged.passUnretained(source).toOpaque()
    try check(
      unsafe ingot_curl_set_source(
        handle,
        { buffer, size, count, context in
          unsafe HTTPSource.at(context).give(
            UnsafeMutableRawBufferPointer(
              start: buffer, count: size * count))
        },
        { context, offset, origin in unsafe HTTPSource.at(context).seek(Int(offset), origin) },
        context, curl_off_t(file.byteCount)))
    return try withExtendedLifetime(source) { () throws(HTTPFailure) in
      try perform(into: HTTPBody(limit: HTTPTransfer.pageLimit) { _ in })
    }
  }

  private func perform(into body: HTTPBody) throws(HTTPFailure) -> HTTPAnswer {
    let transfer = unsafe HTTPTransfer(handle, body)
    try check(
      unsafe ingot_curl_set_sink(
        handle,
        { buffer, size, count, context in
          unsafe HTTPTransfer.at(context).take(
            UnsafeRawBufferPointer(
              start: buffer, count: size * count))
        }, Unmanaged.passUnretained(transfer).toOpaque()))
    try check(
      unsafe ingot_curl_set_header_sink(
        handle,
        { _, size, count, context in
          unsafe HTTPTransfer.at(context).seeHeader() ? size * count : 0
        }, Unmanaged.passUnretained(transfer).toOpaque()))
    let code = withExtendedLifetime(transfer) { unsafe ingot_curl_easy_perform(handle) }
    let status = unsafe ingot_curl_status(handle)
    if let ending = transfer.ending { throw HTTPFailure(answer: ending) }
    try check(code)
    return .status(status)
  }

  private func check(_ code: CURLcode) throws(HTTPFailure) {
    // The text of the code, not of the request: the latter may show more than it should.
    guard code == CURLE_OK else { throw HTTPFailure(answer: .failed(Curl.text(of: code))) }
  }
}

/// libcurl, loaded only when a remote store is asked for.
package enum Curl {
  /// Why libcurl cannot be used, or nil.
  package static let fault: String? = unsafe ingot_curl_load().map { unsafe String(cString: $0) }

  /// The version of the library, such as `7.88.1`; nil when it cannot be used.
  static var version: String? {
    guard fault == nil else { return nil }
    let words = unsafe String(cString: ingot_curl_version()).split { $0 == "/" || $0 == " " }
    return words.count > 1 ? String(words[1]) : nil
  }

  /// libcurl's words for a code.
  package static func text(of code: CURLcode) -> String {
    unsafe ingot_curl_easy_strerror(code).map { unsafe String(cString: $0).lowercased() }
      ?? "error \(code.rawValue)"
  }

  /// libcurl's words for a code of its reader of addresses.
  static func text(of code: CURLUcode) -> String {
    unsafe ingot_curl_url_strerror(code).map { unsafe String(cString: $0).lowercased() }
      ?? "error \(code.rawValue)"
  }
}
