#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The one line of the terminal behind stderr that is drawn anew in its place, and the words that
/// take that place.
package enum TerminalLine {
  private enum State {
    case clear, drawn
    /// The process is ending: nobody draws any more.
    case closed
  }

  private static let state = Mutex(State.clear)

  /// Goes to the start of the line and removes what is in it.
  private static let wipe = "\r\u{1B}[K"

  /// Draws a text in place of the last one. Only for a terminal that knows control codes.
  package static func draw(_ text: String) {
    state.withLock { state in
      guard state != .closed else { return }
      System.write(wipe + text, to: 2)
      state = .drawn
    }
  }

  /// Removes the line.
  package static func clear() { state.withLock { clear(&$0) } }

  /// Writes whole lines to stderr, in place of the line where one is drawn.
  package static func say(_ lines: String) {
    // A pipe has no line, and whoever waits for its reader must hold up nobody else.
    guard System.isTerminal(2) else {
      System.write(lines, to: 2)
      return
    }
    state.withLock { state in
      clear(&state)
      System.write(lines, to: 2)
    }
  }

  /// Removes the line for good, since the process is ending.
  ///
  /// A terminal that takes nothing is left as it is after a second or two.
  static func close() {
    for _ in 0..<100 {
      let isClosed: Void? = state.withLockIfAvailable { state in
        if state == .drawn, System.takesMore(2, within: 1000) { clear(&state) }
        state = .closed
      }
      if isClosed != nil { return }
      // Another thread is writing.
      usleep(10_000)
    }
  }

  private static func clear(_ state: inout State) {
    guard state == .drawn else { return }
    System.write(wipe, to: 2)
    state = .clear
  }
}
