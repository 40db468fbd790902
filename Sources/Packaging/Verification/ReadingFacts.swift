package import Gate

/// How the baseline was read, according to a receipt: whether its outputs are its own library's and
/// the known ones; the limits that the candidate was held to, and the gate's warnings.
package struct ReadingFacts: Equatable, Sendable {
  /// Nil without a source check.
  package let source: SourceRecord?
  /// Nil if nothing is known.
  package let known: KnownRecord?
  /// Profile and every limit.
  package let limits: Limits
  /// The gate's warnings when it passed the model.
  package let warnings: [String]
  /// How much the references reach; nil if this was not checked.
  package let coverage: CoverageRecord?
  /// The search that found the model; nil without one.
  package let search: SearchRecord?
  /// Whether the model takes texts, of whose tokens references never reach all.
  let takesTexts: Bool

  init(_ receipt: RecordedReceipt) {
    source = receipt.source
    known = receipt.known
    limits = receipt.limits
    warnings = receipt.warnings
    coverage = receipt.coverage
    search = receipt.search
    takesTexts = receipt.hasTokenizer
  }

  /// Lines for people.
  var lines: [String] {
    [source?.words ?? SourceRecord.missing] + (known.map { ["known outputs: \($0.words)"] } ?? [])
      // Whoever forged the package wrote these words, too.
      + warnings.map { "warning: \($0.controlsEscaped)" }
      + reach + (search.map { [$0.words] } ?? [])
  }

  private var reach: [String] {
    if let coverage { return [coverage.words] }
    return takesTexts ? ["nobody looked at what the references reach"] : []
  }
}
