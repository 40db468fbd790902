package import Evaluation

/// What a receipt says of how the baseline was read: whether it gives what its own library gave, and
/// what is known to be right.
package struct ReadingFacts: Equatable, Sendable {
  /// Nil where nobody checked.
  package let source: SourceRecord?
  /// Nil where nothing is known.
  package let known: KnownRecord?
  /// How much the references reach; nil of an encoder of anything but texts.
  package let coverage: CoverageRecord?

  /// Lines for people.
  var lines: [String] {
    [source?.words ?? SourceRecord.missing] + (known.map { ["known outputs: \($0.words)"] } ?? [])
      + (coverage.map { [$0.words] } ?? [])
  }
}
