import CCurl
package import IngotClient
import Store

/// Reaches a repository by libcurl; no redirect is followed and no content coding asked for.
package struct CurlTransport: Transport {
  private let base: String
  /// Seconds in which something must come.
  let idleSeconds: Int

  /// Milliseconds until a connection must be there.
  private static let connectMilliseconds = 10_000

  /// - Parameters:
  ///   - base: the repository's address, with `http` or `https`.
  ///   - idleSeconds: seconds in which something must come of each file.
  package init(base: String, idleSeconds: Int = 30) {
    self.base = base.hasSuffix("/") ? base : base + "/"
    self.idleSeconds = idleSeconds
  }

  package func fetch(
    _ request: TransportRequest,
    _ receive: @escaping @Sendable (TransportEvent) throws -> Void
  ) async throws {
    let answer = CurlAnswer(request, receive)
    if let error = perform(request, into: answer) { throw error }
    if let failure = answer.failure { throw failure }
    try answer.finish()
  }

  /// - Returns: why the request did not come to its end; nil where it did, and where `answer` ended it.
  private func perform(_ request: TransportRequest, into answer: CurlAnswer) -> UpdateError? {
    func unreachable(_ reason: String) -> UpdateError {
      .unreachable(path: request.path, reason: reason)
    }
    if let fault = Curl.fault { return unreachable(fault) }
    guard let handle = unsafe ingot_curl_easy_init() else {
      return unreachable("libcurl gives no handle")
    }
    defer { unsafe ingot_curl_easy_cleanup(handle) }
    let field = unsafe request.validator.flatMap {
      request.offset > 0 ? unsafe ingot_curl_field("If-Range: \($0)") : nil
    }
    defer { unsafe ingot_curl_field_free(field) }
    let context = unsafe Unmanaged.passUnretained(answer).toOpaque()
    var codes = unsafe [
      ingot_curl_set_text(handle, CURLOPT_URL, base + request.path),
      ingot_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https"),
      ingot_curl_set_text(handle, CURLOPT_USERAGENT, "ingot"),
      ingot_curl_set_number(handle, CURLOPT_FOLLOWLOCATION, 0),
      ingot_curl_set_number(handle, CURLOPT_NOSIGNAL, 1),
      ingot_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds),
      ingot_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, idleSeconds),
      ingot_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1),
      ingot_curl_set_sink(
        handle,
        { buffer, size, count, context in
          unsafe CurlAnswer.at(context).take(
            UnsafeRawBufferPointer(start: buffer, count: size * count))
        }, context),
      ingot_curl_set_header_sink(
        handle,
        { buffer, size, count, context in
          unsafe CurlAnswer.at(context).see(
            UnsafeRawBufferPointer(start: buffer, count: size * count))
        }, context),
    ]
    if request.offset > 0, request.validator != nil {
      unsafe codes.append(ingot_curl_set_text(handle, CURLOPT_RANGE, "\(request.offset)-"))
      unsafe codes.append(ingot_curl_set_field(handle, field))
    }
    if let fault = codes.first(where: { $0 != CURLE_OK }) {
      return unreachable(Curl.text(of: fault))
    }
    let code = withExtendedLifetime(answer) { unsafe ingot_curl_easy_perform(handle) }
    guard code != CURLE_OK, !answer.hasEnded else { return nil }
    if code == CURLE_OPERATION_TIMEDOUT, unsafe ingot_curl_is_connected(handle) {
      return .slow(path: request.path, bytes: 0, seconds: idleSeconds)
    }
    return unreachable(Curl.text(of: code))
  }
}

/// An answer on its way in; of one request, and one thread.
@safe private final class CurlAnswer {
  private let receive: (TransportEvent) throws -> Void
  private var status = 0
  private var fields: [String: String] = [:]
  private var isAnnounced = false
  /// Whether the body is wanted.
  private var isFound = false
  /// What the receiver threw.
  private(set) var failure: (any Error)?
  /// Whether the request was ended here.
  private(set) var hasEnded = false

  init(_ request: TransportRequest, _ receive: @escaping (TransportEvent) throws -> Void) {
    self.receive = receive
  }

  static func at(_ context: UnsafeMutableRawPointer?) -> CurlAnswer {
    guard let context = unsafe context else { preconditionFailure("a context was set") }
    return unsafe Unmanaged<CurlAnswer>.fromOpaque(context).takeUnretainedValue()
  }

  /// Takes a line of the headers: the status, a field, or the empty line behind the last.
  ///
  /// Fields behind the body say nothing that is used, and would come without end: the answer ends before them.
  func see(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard !isAnnounced else {
      hasEnded = true
      return 0
    }
    let line = unsafe String(decoding: bytes, as: UTF8.self).filter { !$0.isNewline }
    if line.hasPrefix("HTTP/") {
      status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
      fields = [:]
    } else if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...].drop { $0 == " " }
      fields[line[..<colon].lowercased()] = String(value)
    }
    return bytes.count
  }

  /// Takes a part of the body.
  ///
  /// - Returns: the number of bytes taken; any other than were given ends the request.
  func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    announce()
    if isFound, failure == nil { unsafe pass(.bytes(Array(bytes))) }
    hasEnded = !isFound || failure != nil
    return hasEnded ? 0 : bytes.count
  }

  /// Says what came where there was no body.
  func finish() throws {
    announce()
    if let failure { throw failure }
  }

  private func announce() {
    guard !isAnnounced else { return }
    isAnnounced = true
    let event = event
    if case .found = event { isFound = true }
    pass(event)
  }

  private var event: TransportEvent {
    switch status {
    case 200: return .found(offset: 0, validator: fields["etag"])
    case 206:
      let range = fields["content-range"]?.split(separator: " ").last
      guard let offset = range?.split(separator: "-").first.flatMap({ Int($0) }) else {
        return .refused(status: status)
      }
      return .found(offset: offset, validator: fields["etag"])
    // A bucket whose content may not be listed says 403 of a file that is not there.
    case 403, 404: return .missing
    default: return .refused(status: status)
    }
  }

  private func pass(_ event: TransportEvent) {
    do { try receive(event) } catch { failure = error }
  }
}
