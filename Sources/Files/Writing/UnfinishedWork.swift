#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files and folders that must not outlive an interrupted process.
package enum UnfinishedWork {
  private static let paths = Mutex<Set<String>>([])
  private static let naming = Mutex(())

  /// Makes a file or folder of a new hidden name in a folder and notes it at the same time, so that
  /// no signal can leave it behind.
  ///
  /// The name is short, so that any valid final name can be written.
  ///
  /// - Parameter make: makes it at a path; returns a negative number on failure, with `errno` set.
  /// - Returns: the path and the result of `make`, or nil with `errno` of the last try.
  static func make(
    in folder: String, prefix: String, _ make: (String) -> Int32
  ) -> (path: String, result: Int32)? {
    for _ in 0..<100 {
      let name = prefix + String(UInt64.random(in: .min ... .max), radix: 36)
      let path = Folder.join(folder, name)
      // Noted and made in one: no signal comes between.
      let (result, code) = paths.withLock { paths in
        let result = make(path)
        let code = errno
        if result >= 0 { paths.insert(path) }
        return (result, code)
      }
      if result >= 0 { return (path, result) }
      errno = code
      guard code == EEXIST || code == EINTR else { return nil }
    }
    return nil
  }

  /// Waits forever once a signal is ending the process: errors from then on, caused by files just
  /// removed, are not worth reporting.
  package static func letSignalsEndTheProcess() { naming.withLock { _ in paths.withLock { _ in } } }

  static func end(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Runs `body` without a signal removing anything meanwhile, so that no half removed folder gets
  /// a final name and nothing new appears in one that is being removed.
  ///
  /// - Parameter body: may change the paths that are noted; must not call this type again.
  static func uninterrupted<Result, Failure>(
    _ body: (inout Set<String>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try paths.withLock { paths throws(Failure) in try body(&paths) }
  }

  /// Runs `body`, which gives names to what belongs together: a signal ends the process before it, or
  /// waits for its end.
  ///
  /// - Parameter body: short, as a signal waits; must not call this function again.
  package static func together<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try naming.withLock { _ throws(Failure) in try body() }
  }

  /// From now on an interrupt, a request to end and a hang-up remove unfinished work, say so on
  /// stderr, and end the process by that very signal. Signals that the parent had ignored stay so.
  ///
  /// Call it once, before the first other thread is made. Removing files is more than a signal
  /// handler may do, so a thread waits for the signals instead.
  package static func removeOnSignals() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      unsafe sigaddset(&signals, signal)
    }
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    if SystemThread({ wait(for: waited) }) == nil {
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func wait(for all: sigset_t) {
    var signals = all
    var received: Int32 = 0
    guard unsafe sigwait(&signals, &received) == 0 else { return }
    while let words = Interruption.note(received) {
      say(words)
      guard unsafe sigwait(&signals, &received) == 0 else { return }
    }
    naming.withLock { _ in
      removeAll {
        say("error: interrupted; unfinished output was removed")
      } thenEnd: {
        Interruption.end(by: received)
      }
    }
  }

  // Nobody may be reading a pipe that is full; the process goes on all the same.
  private static func say(_ line: String) {
    if System.takesMore(2, within: 1000) { TerminalLine.say("\(line)\n") }
  }

  /// Removes all unfinished work and the line on the terminal, says so, and lets nothing new begin
  /// until the process has ended.
  ///
  /// - Parameters:
  ///   - say: tells the user; may take long.
  ///   - end: ends the process.
  static func removeAll(say: () -> Void, thenEnd end: () -> Void) {
    paths.withLock { paths in
      TerminalLine.close()
      remove(paths)
      say()
      // Other threads went on meanwhile, and may have made a folder again.
      remove(paths)
      end()
    }
  }

  /// Removes files and folders. Other threads may still make files there; each round removes those
  /// that the last one could not.
  private static func remove(_ paths: Set<String>) {
    for _ in 0..<20 {
      for path in paths { try? Folder.remove(path) }
      if paths.allSatisfy({ Folder.kind(of: $0) == .missing }) { break }
    }
  }
}
