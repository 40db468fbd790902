import Foundation
import Files

/// A socket that answers like an agent, or unlike any.
final class FakeAgent: Sendable {
  let path: String
  private let listener: Int32
  private let connections = Mutex<[Int32]>([])

  /// - Parameter answers: the bytes for the first request, the second, …; nil answers nothing.
  init(path: String, answers: [[UInt8]?]) throws {
    self.path = path
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, length) }
    }
    guard bound == 0, listen(listener, 8) == 0 else { throw CocoaError(.fileWriteUnknown) }
    Thread.detachNewThread { [self] in
      for answer in answers { serve(answer) }
    }
  }

  deinit {
    close(listener)
    for connection in connections.withLock({ $0 }) { close(connection) }
  }

  private func serve(_ answer: [UInt8]?) {
    let connection = accept(listener, nil, nil)
    guard connection >= 0 else { return }
    var request: [UInt8] = Array(repeating: 0, count: 1 << 16)
    _ = recv(connection, &request, request.count, 0)
    guard let answer else { return connections.withLock { $0.append(connection) } }
    _ = send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
    close(connection)
  }
}
