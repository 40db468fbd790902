package import Evaluation

/// What a receipt says of how the baseline was read: whether it gives what its own library gave, and
/// what is known to be right; of the limits that the candidate was held to, and of what the gate warned.
package struct ReadingFacts: Equatable, Sendable {
  /// Nil where nobody checked.
  package let source: SourceRecord?
  /// Nil where nothing is known.
  package let known: KnownRecord?
  /// Profile and every limit.
  package let limits: Limits
  /// What the gate warned of when it passed the model.
  package let warnings: [String]
  /// How much the references reach; nil of an encoder of anything but texts.
  package let coverage: CoverageRecord?

  /// Lines for people.
  var lines: [String] {
    [source?.words ?? SourceRecord.missing] + (known.map { ["known outputs: \($0.words)"] } ?? [])
      // Whoever forged the package wrote these words, too.
      + warnings.map { "warning: \($0.asciiEscaped)" }
      + (coverage.map { [$0.words] } ?? [])
  }
}
