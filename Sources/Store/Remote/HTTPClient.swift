import CCurl
import Files

/// Gets and puts files of one server by HTTP; any number of threads may ask at once.
///
/// No redirect is followed and no content coding asked for. Of an answer's headers only the size is
/// looked at, and only to refuse a body that cannot be the wanted one. Proxies come from the environment and passwords from `~/.netrc`, as with curl.
final class HTTPClient: Sendable {
  let address: RemoteAddress
  private let patience: Patience
  /// Idle handles, kept for their open connections.
  private let idle = Mutex<[HTTPHandle]>([])

  init(_ address: RemoteAddress, patience: Patience) {
    self.address = address
    self.patience = patience
  }

  /// Gets a file; `body` has all of it when the status is 200, and nothing of any other answer.
  func get(_ path: String, into body: HTTPBody) -> HTTPAnswer {
    perform { handle throws(HTTPFailure) in
      try begin(handle, path, byteCount: body.limit)
      return try handle.receive(into: body)
    }
  }

  /// Puts a file.
  func put(_ path: String, from file: MappedFile) -> HTTPAnswer {
    perform { handle throws(HTTPFailure) in
      try begin(handle, path, byteCount: file.byteCount)
      return try handle.send(file)
    }
  }

  /// The full address of a path, fit for messages.
  func url(_ path: String) -> String { "\(address)/\(path)" }

  private func perform(
    _ request: (HTTPHandle) throws(HTTPFailure) -> HTTPAnswer
  ) -> HTTPAnswer {
    do throws(HTTPFailure) {
      let handle = try takeHandle()
      let answer = try request(handle)
      idle.withLock { $0.append(handle) }
      return answer
    } catch {
      // The handle goes, and so does its connection, which may be anywhere.
      return error.answer
    }
  }

  private func takeHandle() throws(HTTPFailure) -> HTTPHandle {
    if let handle = idle.withLock({ $0.popLast() }) { return handle }
    return try HTTPHandle()
  }

  /// - Parameter byteCount: most bytes that go over the line.
  private func begin(
    _ handle: HTTPHandle, _ path: String, byteCount: Int
  ) throws(HTTPFailure) {
    handle.reset()
    try handle.set(CURLOPT_URL, url(path))
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_USERAGENT, "ingot")
    try handle.set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
    if let user = address.user { try handle.set(CURLOPT_USERNAME, user) }
    if let password = address.password { try handle.set(CURLOPT_PASSWORD, password) }
    // Signals are the process's own matter, and time-outs must not need them.
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT_MS, patience.connectMilliseconds)
    try handle.set(CURLOPT_TIMEOUT_MS, patience.milliseconds(for: byteCount))
    try handle.set(CURLOPT_LOW_SPEED_TIME, patience.slowSeconds)
    try handle.set(CURLOPT_LOW_SPEED_LIMIT, patience.bytesPerSecond)
  }
}

/// How a request ended.
enum HTTPAnswer: Equatable, Sendable {
  case status(Int)
  /// The body has more bytes than its limit.
  case tooLong
  /// The headers announce a body of so many bytes, which is not the one that is wanted.
  case announced(Int)
  /// The consumer of the body failed.
  case notTaken(String)
  /// The answer was incomplete or missing.
  case failed(String)
}

/// A request that did not come to its end.
struct HTTPFailure: Error {
  let answer: HTTPAnswer
}
