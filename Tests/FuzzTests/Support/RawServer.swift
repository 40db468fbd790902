import Files
import Foundation

/// Answers every request on a port of this machine with the same bytes, and closes.
final class RawServer: Sendable {
  let address: String
  private let descriptor: Int32
  private let answer = Mutex<[UInt8]>([])

  struct NotStarted: Error {}

  init() throws {
    #if canImport(Glibc)
      let stream = Int32(SOCK_STREAM.rawValue)
    #else
      let stream = SOCK_STREAM
    #endif
    let socket = socket(AF_INET, stream, 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &place) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 && listen(socket, 16) == 0
          && getsockname(socket, address, &length) == 0
      }
    }
    guard isBound else { throw NotStarted() }
    descriptor = socket
    address = "http://127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
    let thread = Thread { [self] in serve() }
    thread.start()
  }

  /// Sets the bytes of every answer from now on.
  func set(_ bytes: [UInt8]) { answer.withLock { $0 = bytes } }

  /// Ends the server.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func serve() {
    defer { close(descriptor) }
    while true {
      let client = accept(descriptor, nil, nil)
      guard client >= 0 else { return }
      reply(to: client)
      close(client)
    }
  }

  /// Reads to the end of the headers, then sends.
  private func reply(to client: Int32) {
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      let count = recv(client, &buffer, buffer.count, 0)
      guard count > 0 else { return }
      request += buffer[..<count]
    }
    let bytes = answer.withLock { $0 }
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    _ = send(client, bytes, bytes.count, flags)
    shutdown(client, Int32(SHUT_WR))
    // What the client still sends is read, so that closing does not take the answer back.
    while recv(client, &buffer, buffer.count, 0) > 0 {}
  }
}
