#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A connection to a service on this machine that listens on a socket in the file system.
///
/// Every call ends at its deadline, even if the service hangs.
package struct LocalSocket: ~Copyable {
  /// The path of the service's socket.
  package let path: String
  private let descriptor: Int32

  /// Connects.
  ///
  /// - Parameter seconds: how long to wait for a place in the service's queue.
  package init(path: String, seconds: Double) throws(FileError) {
    let descriptor = socket(AF_UNIX, LocalSocket.stream, 0)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let deadline = System.monotonicSeconds() + seconds
    var code = descriptor < 0 ? errno : LocalSocket.connect(descriptor, path)
    while (code == EINTR || code == EAGAIN) && System.monotonicSeconds() < deadline {
      usleep(10_000)
      code = LocalSocket.connect(descriptor, path)
    }
    guard code == 0 else {
      if descriptor >= 0 { close(descriptor) }
      throw .failed(doing: "connect", path: path, reason: System.text(of: code))
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Sends all bytes.
  package func send(_ bytes: [UInt8], seconds: Double) throws(FileError) {
    let deadline = System.monotonicSeconds() + seconds
    var start = 0
    while start < bytes.count {
      try wait(for: POLLOUT, until: deadline, doing: "send")
      let count = unsafe bytes.withUnsafeBytes { all in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: all[start...])
        return unsafe systemSend(descriptor, rest.baseAddress, rest.count, LocalSocket.sendFlags)
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else {
        throw .failed(doing: "send", path: path, reason: System.lastError)
      }
      start += count
    }
  }

  /// Receives exactly as many bytes.
  package func receive(_ count: Int, seconds: Double) throws(FileError) -> [UInt8] {
    let deadline = System.monotonicSeconds() + seconds
    var bytes: [UInt8] = Array(repeating: 0, count: count)
    var start = 0
    while start < count {
      try wait(for: POLLIN, until: deadline, doing: "receive")
      let got = unsafe bytes.withUnsafeMutableBytes { all in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: all[start...])
        return unsafe recv(descriptor, rest.baseAddress, rest.count, 0)
      }
      if got < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard got > 0 else {
        let reason = got < 0 ? System.lastError : "the other side closed the connection"
        throw .failed(doing: "receive", path: path, reason: reason)
      }
      start += got
    }
    return bytes
  }

  private func wait(
    for event: Int32, until deadline: Double, doing: String
  ) throws(FileError) {
    while true {
      let left = deadline - System.monotonicSeconds()
      guard left > 0 else {
        throw .failed(doing: doing, path: path, reason: "no answer in time")
      }
      var polled = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let ready = unsafe poll(&polled, 1, Int32(min(left * 1000 + 1, 60_000)))
      if ready > 0 { return }
      guard ready == 0 || errno == EINTR else {
        throw .failed(doing: doing, path: path, reason: System.lastError)
      }
    }
  }

  /// - Returns: 0 or the code of the error.
  private static func connect(_ descriptor: Int32, _ path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array(path.utf8)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard name.count < room, !name.contains(0) else { return ENAMETOOLONG }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: name) }
    let result = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe systemConnect(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        socklen_t(bytes.count))
    }
    return result == 0 ? 0 : errno
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif
  #if canImport(Darwin)
    // `System.ignoreWriteSignals` keeps a closed connection from ending the process instead.
    private static let sendFlags: Int32 = 0
  #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif
}

/// `connect(2)`, under a name that `LocalSocket.connect` does not hide.
private func systemConnect(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>?, _ length: socklen_t
) -> Int32 {
  guard let address = unsafe address else { return -1 }
  return unsafe connect(descriptor, address, length)
}

/// `send(2)`, under a name that `LocalSocket.send` does not hide.
private func systemSend(
  _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
) -> Int {
  unsafe send(descriptor, bytes, count, flags)
}
