import Foundation

/// A server on the loopback interface that takes connections, may send a few bytes to each, and then says
/// nothing more.
package final class SilentServer: Sendable {
  package let address: String
  private let descriptor: Int32

  package struct NotStarted: Error {}

  /// - Parameter greeting: sent to each connection.
  package init(greeting: String = "") throws {
    signal(SIGPIPE, SIG_IGN)
    let own = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    descriptor = own
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &place) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
        bind(own, place, length) == 0 ? getsockname(own, place, &length) : -1
      }
    }
    guard code == 0, listen(own, 16) == 0 else { throw NotStarted() }
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    let bytes = Array(greeting.utf8)
    guard !bytes.isEmpty else { return }
    Thread.detachNewThread {
      while case let connection = accept(own, nil, nil), connection >= 0 {
        _ = send(connection, bytes, bytes.count, 0)
      }
    }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  /// Connections that wait to be taken; of a server without a greeting all that were made.
  package func waitingConnectionCount() -> Int {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var count = 0
    while case let connection = accept(descriptor, nil, nil), connection >= 0 {
      close(connection)
      count += 1
    }
    return count
  }
}
