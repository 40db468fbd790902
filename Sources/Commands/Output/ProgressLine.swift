import Files
import Synchronization

/// One line on a terminal that says how far long work is; silent where stderr is no terminal.
final class ProgressLine: Sendable {
  private let isShown: Bool
  private let lastDrawn = Mutex<(time: Double, text: String)>((0, ""))

  init(_ console: Console) { isShown = System.isTerminal(2) && !console.isQuiet }

  /// Shows a step, at most ten times a second.
  func show(_ text: String) {
    guard isShown else { return }
    let isDue = lastDrawn.withLock { last in
      let now = System.monotonicSeconds()
      guard now - last.time > 0.1 else { return false }
      last = (now, text)
      return true
    }
    if isDue { System.write("\r\u{1B}[K\(text)", to: 2) }
  }

  /// Shows a share of some work.
  func show(_ what: String, _ done: Int, of total: Int) {
    show("\(what) \(done) of \(total)")
  }

  /// Removes the line.
  func clear() {
    guard isShown, lastDrawn.withLock({ !$0.text.isEmpty }) else { return }
    System.write("\r\u{1B}[K", to: 2)
  }
}
