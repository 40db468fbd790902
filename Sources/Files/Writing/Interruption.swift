#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A request to end the process that comes while a result can still be had: the first is noted, and the
/// next one ends the process.
package enum Interruption {
  private struct State {
    /// What to say of the first one; nil while none is waited for.
    var words: String?
    var signal: Int32?
  }

  private static let state = Mutex(State())

  /// From now on the first interrupt or request to end is noted instead of ending the process.
  ///
  /// - Parameter words: said on stderr when it comes.
  /// - Returns: whether none was awaited before.
  package static func awaitOne(saying words: String) -> Bool {
    state.withLock { state in
      defer { state.words = words }
      return state.words == nil
    }
  }

  /// Whether one came.
  package static var isNoted: Bool { state.withLock { $0.signal != nil } }

  /// Ends the process by the signal that was noted, as if it came now; does nothing without one.
  package static func deliver() {
    guard let signal = state.withLock({ $0.signal }) else { return }
    end(by: signal)
  }

  /// Notes a signal, the first one where one is awaited.
  ///
  /// - Returns: what to say of it; nil if it is to end the process.
  static func note(_ received: Int32) -> String? {
    guard received != SIGHUP else { return nil }
    return state.withLock { state in
      guard let words = state.words, state.signal == nil else { return nil }
      state.signal = received
      return words
    }
  }

  /// Ends the process by a signal that its threads keep blocked.
  static func end(by received: Int32) -> Never {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, received)
    signal(received, SIG_DFL)
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(received)
    _exit(128 + received)
  }
}
