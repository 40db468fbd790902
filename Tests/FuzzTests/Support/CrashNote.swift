#if canImport(Glibc)
  import Glibc
#endif

/// Says which input was at work when a signal ends the process, since nothing else could.
enum CrashNote {
  private static let capacity = 256
  nonisolated(unsafe) private static let text = UnsafeMutablePointer<UInt8>.allocate(
    capacity: capacity)
  nonisolated(unsafe) private static let length = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  nonisolated(unsafe) private static let input = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  /// Watches the parser that runs from now on; `nil` when none does.
  static func watch(_ name: String?, seed: UInt64) {
    let words = name.map { "\nfuzz \($0), seed \(seed): ended by input " } ?? ""
    length.pointee = 0
    for (index, byte) in words.utf8.prefix(capacity).enumerated() { text[index] = byte }
    length.pointee = min(words.utf8.count, capacity)
    install()
  }

  static func begin(_ iteration: Int) { input.pointee = iteration }

  #if canImport(Glibc)
    private static func install() {
      // A stack of its own, so that a stack overflow is noted, too.
      let byteCount = 1 << 16
      var stack = stack_t(
        ss_sp: UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 16), ss_flags: 0,
        ss_size: byteCount)
      sigaltstack(&stack, nil)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        CrashNote.write()
        signal(number, SIG_DFL)
      }
      action.sa_flags = SA_ONSTACK
      for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
        sigaction(number, &action, nil)
      }
    }

    /// Writes the note; no allocation, since it runs in a signal handler.
    private static func write() {
      guard length.pointee > 0 else { return }
      _ = Glibc.write(2, text, length.pointee)
      var number = input.pointee
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 21) { digits in
        var start = 20
        digits[start] = UInt8(ascii: "\n")
        repeat {
          start -= 1
          digits[start] = UInt8(ascii: "0") + UInt8(number % 10)
          number /= 10
        } while number > 0
        guard let first = digits.baseAddress else { return }
        _ = Glibc.write(2, first + start, 21 - start)
      }
    }
  #else
    private static func install() {}
  #endif
}
