/// How long a step still takes, from its own rate so far.
///
/// Nothing is said before it can be known, and what is said does not jump: the expected end moves
/// towards each new estimate within seconds. Pure: the times are given.
struct TimeLeft {
  private var start: (done: Int, time: Double)?
  /// When the step is expected to end, and when that was last thought about.
  private var end: (time: Double, known: Double)?

  /// Seconds before anything is said.
  private static let patience = 2.0
  /// The part of a step that says how the rest will be; after five times the patience two pieces do.
  private static let share = 0.05
  /// Seconds in which the expected end moves half the way to a new estimate.
  private static let halfway = 4.0

  /// Takes how far the step is.
  ///
  /// - Parameter now: seconds on a clock that does not go back.
  /// - Returns: seconds left; nil while they cannot be known.
  mutating func take(_ done: Int, of total: Int, at now: Double) -> Double? {
    guard let start else {
      start = (done, now)
      return nil
    }
    let elapsed = now - start.time, pieces = done - start.done
    guard total > done else { return 0 }
    guard pieces > 1, elapsed >= TimeLeft.patience,
      Double(pieces) >= TimeLeft.share * Double(total - start.done)
        || elapsed >= 5 * TimeLeft.patience
    else { return nil }
    let estimate = now + elapsed * Double(total - done) / Double(pieces)
    let before = end ?? (estimate, now)
    let passed = now - before.known
    let moved = before.time + (estimate - before.time) * passed / (passed + TimeLeft.halfway)
    end = (moved, now)
    return max(0, moved - now)
  }

  /// `40 s left`, as exact as people need it.
  static func words(_ seconds: Double) -> String {
    func rounded(_ unit: Double) -> Int { Int((seconds / unit).rounded()) }
    switch seconds {
    case ..<1: return "1 s left"
    case ..<9.5: return "\(rounded(1)) s left"
    case ..<57.5: return "\(5 * rounded(5)) s left"
    case ..<570: return "\(rounded(60)) min left"
    case ..<3450: return "\(5 * rounded(300)) min left"
    case ..<360_000:
      let minutes = 10 * rounded(600)
      return minutes % 60 == 0
        ? "\(minutes / 60) h left" : "\(minutes / 60) h \(minutes % 60) min left"
    default: return "days left"
    }
  }
}
