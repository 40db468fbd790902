import CFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few questions Ingot asks the operating system.
package enum System {
  /// The system's text for the last failed call.
  package static var lastError: String { text(of: errno) }

  static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text).lowercased()
  }

  /// Whether a descriptor (1 = stdout, 2 = stderr) is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns of a terminal; nil where they are not known.
  package static func terminalColumns(_ descriptor: Int32) -> Int? {
    let columns = Int(ingot_terminal_columns(descriptor))
    return columns > 0 ? columns : nil
  }

  /// Whether a descriptor accepts a line without waiting for its reader, now or soon.
  static func takesMore(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var requested = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&requested, 1, milliseconds) == 1
  }

  /// Value of an environment variable.
  package static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  /// Makes writing to a closed pipe, or beyond a size limit, an error instead of a signal.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Makes sure that descriptors 0, 1 and 2 are open.
  ///
  /// Otherwise a file opened later could get the number of a closed stderr, and a warning would be
  /// written into it. The pages that replace them cannot be written to.
  package static func reserveStandardDescriptors() {
    var descriptor = unsafe open("/dev/null", O_RDONLY)
    while (0...2).contains(descriptor) { descriptor = unsafe open("/dev/null", O_RDONLY) }
    if descriptor > 2 { close(descriptor) }
  }

  /// Number of processors this process may run on.
  package static let processorCount = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))

  /// The file this process runs from, as far as the system tells.
  package static var programPath: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }

  /// Words for this process: `process 4711 on HOST, since 2026-11-21 10:00:00 UTC`.
  package static var processDescription: String {
    var name = [CChar](repeating: 0, count: 256)
    let host = unsafe gethostname(&name, name.count - 1) == 0 ? text(name) : "this machine"
    return "process \(getpid()) on \(host), since \(calendarTime())"
  }

  /// The machine's clock in UTC, for people; never for content.
  private static func calendarTime() -> String {
    var now = time(nil)
    var parts = unsafe tm()
    var text = [CChar](repeating: 0, count: 64)
    unsafe gmtime_r(&now, &parts)
    let count = unsafe strftime(&text, text.count, "%Y-%m-%d %H:%M:%S UTC", &parts)
    return count > 0 ? self.text(text) : "an unknown time"
  }

  private static func text(_ characters: [CChar]) -> String {
    String(
      decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Seconds on a clock that never goes back; for progress and benchmarks, never for content.
  package static func monotonicSeconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: whether everything was taken.
  @discardableResult
  package static func write(_ text: String, to descriptor: Int32) -> Bool {
    unsafe writeAll(Array(text.utf8).span.bytes, to: descriptor)
  }

  /// Writes all bytes to a descriptor, however many calls it takes.
  ///
  /// - Returns: whether everything was taken; if not, `lastError` says why.
  static func writeAll(_ bytes: RawSpan, to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { all in
      var rest = unsafe all[...]
      while unsafe !rest.isEmpty {
        let chunk = unsafe UnsafeRawBufferPointer(rebasing: rest)
        let count = unsafe systemWrite(descriptor, chunk)
        if count < 0 && errno == EINTR { continue }
        // Bytes of a mapped file that was shortened: reading them reports which file.
        if count < 0, errno == EFAULT, let start = chunk.baseAddress {
          unsafe ingot_touch(start, chunk.count)
        }
        guard count > 0 else { return false }
        unsafe rest = unsafe rest.dropFirst(count)
      }
      return true
    }
  }
}

/// `write(2)`, under a name that `System.write` does not hide.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  #if canImport(Glibc)
    unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  #elseif canImport(Musl)
    unsafe Musl.write(descriptor, bytes.baseAddress, bytes.count)
  #else
    unsafe Darwin.write(descriptor, bytes.baseAddress, bytes.count)
  #endif
}
