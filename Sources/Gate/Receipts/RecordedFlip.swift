import Inputs
import StrictJSON

/// A decision that came out differently and was tolerated, as a receipt lists it.
package struct RecordedFlip: Equatable, Sendable {
  /// Line in the reference set, from 1.
  package let line: Int
  /// Similarity of the pair, or output of the baseline's label, before and after.
  package let before: Double
  package let after: Double

  init(line: Int, before: Double, after: Double) {
    (self.line, self.before, self.after) = (line, before, after)
  }

  init(_ flip: Flip) {
    self.init(line: flip.line, before: flip.before, after: flip.after)
  }

  /// As a receipt writes it, to four decimals.
  var json: JSONValue {
    [
      "line": .integer(line), "before": .string(Figures.recorded(before)),
      "after": .string(Figures.recorded(after)),
    ]
  }
}
