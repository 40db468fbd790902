import Files
import Proving
import Search
import Synchronization

/// One line on a terminal with the progress of long work; silent if stderr is not a terminal.
final class ProgressLine: Sendable {
  private let isShown: Bool
  /// When the line was drawn last; nil while there is none.
  private let lastDrawn = Mutex<Double?>(nil)

  init(_ console: Console) { isShown = System.isTerminal(2) && !console.isQuiet }

  /// Shows a step, at most ten times a second.
  func show(_ text: String) {
    guard isShown else { return }
    let isDue = lastDrawn.withLock { last in
      let now = System.monotonicSeconds()
      if let last, now - last <= 0.1 { return false }
      last = now
      return true
    }
    if isDue { System.write("\r\u{1B}[K\(text.printable(keepsLines: false))", to: 2) }
  }

  /// Shows a share of some work.
  func show(_ what: String, _ done: Int, of total: Int) {
    show("\(what) \(done) of \(total)")
  }

  /// Shows a step of making or judging a model.
  func show(_ step: Prover.Step) {
    switch step {
    case .calibrating(let tensor): show("calibrating \(tensor)")
    case .compressing(let tensor): show("compressing \(tensor)")
    case .judging(let done, let total): show("running references", done, of: total)
    }
  }

  /// Shows a step of a search.
  func show(_ step: SearchStep) {
    switch step {
    case .compressing(let done, let total): show("compressing in way", done + 1, of: total)
    case .predicting(let done, let total): show("predicting losses", done, of: total)
    case .trying(let number): show("candidate \(number)")
    }
  }

  /// Removes the line.
  func clear() {
    let isThere = lastDrawn.withLock { last in
      defer { last = nil }
      return last != nil
    }
    if isThere { System.write("\r\u{1B}[K", to: 2) }
  }
}
