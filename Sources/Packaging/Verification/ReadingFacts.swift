package import Gate

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
  /// How much the references reach; nil where nobody looked.
  package let coverage: CoverageRecord?
  /// Whether the model takes texts, of whose tokens references never reach all.
  let takesTexts: Bool

  init(_ receipt: RecordedReceipt) {
    source = receipt.source
    known = receipt.known
    limits = receipt.limits
    warnings = receipt.warnings
    coverage = receipt.coverage
    takesTexts = receipt.hasTokenizer
  }

  /// Lines for people.
  var lines: [String] {
    [source?.words ?? SourceRecord.missing] + (known.map { ["known outputs: \($0.words)"] } ?? [])
      // Whoever forged the package wrote these words, too.
      + warnings.map { "warning: \($0.asciiEscaped)" }
      + reach
  }

  private var reach: [String] {
    if let coverage { return [coverage.words] }
    return takesTexts ? ["nobody looked at what the references reach"] : []
  }
}
