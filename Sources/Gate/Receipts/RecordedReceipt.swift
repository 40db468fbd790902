package import Graph
import Inputs
package import StrictJSON
import Tokenization
package import Weights

/// A receipt read back from an archive.
///
/// It is consistent, but anyone may have written it. It proves nothing, and packaging does not
/// accept it. To prove it again, run the gate.
package struct RecordedReceipt: Equatable, Sendable {
  private var text: ReceiptText

  /// The bytes that were the measure.
  package var baseline: ModelDigests { text.baseline }
  /// The bytes that were run.
  package var candidate: ModelDigests { text.candidate }
  package var architecture: String { text.architecture }
  /// The inputs the candidate was fitted to; nil if it was not.
  package var calibration: CalibrationRecord? { text.calibration }
  /// The texts whose tokens the candidate kept; nil if it has all of them.
  package var vocabulary: VocabularyRecord? { text.vocabulary }
  /// The other encoder of the model, which ran beside; nil for a model that was judged alone.
  package var partner: PartnerEncoder? { text.partner }
  /// Which encoder was judged beside another; nil for a model that was judged alone.
  package var encoder: EncoderKind? { partner?.encoder.other }
  /// The check against the library it was trained with; nil if there was none.
  package var source: SourceRecord? { text.source }
  /// The outputs that the reference set knows to be right; nil if it knows none.
  package var known: KnownRecord? { text.known }
  /// How both models decided lines with true labels; nil if the reference set has none.
  package var labels: LabelRecord? { text.labels }
  /// What became of the classes that lost inputs; empty where none did, and in receipts of before this was recorded.
  package var classes: [ClassFlips] { text.classes }
  /// How much the references reach; nil of an encoder of anything but texts.
  package var coverage: CoverageRecord? { text.coverage }
  /// Whether a tokenizer is among the files that describe the baseline.
  package var hasTokenizer: Bool {
    let names = ([.tokenizer] + TokenizerFiles.Name.pieces).map(\.rawValue)
    return baseline.files.keys.contains { path in
      names.contains(path.split(separator: "/").last.map(String.init) ?? "")
    }
  }
  /// Digest of the reference set's bytes, or of the share of it that proved what a search found.
  package var references: ContentDigest { text.references }
  /// The search that found the candidate; nil without one.
  package var search: SearchRecord? { text.search }
  package var limits: Limits { text.limits }
  package var threshold: Double? { text.threshold }
  /// To four decimals, as written.
  package var metrics: DriftMetrics { text.metrics }
  /// Every flip that was tolerated, to four decimals, in the order of the lines.
  package var flips: [RecordedFlip] { text.flips }
  package var warnings: [String] { text.warnings }
  /// The receipt as it was written.
  package var json: JSONValue { text.json }

  /// Reads the text of a receipt.
  package init(_ bytes: [UInt8], origin: String) throws(JSONError) {
    try self.init(try JSONParser.parseObject(bytes, origin: origin))
  }

  /// Reads a receipt and accepts only the form that is written.
  ///
  /// - Throws: `JSONError` for anything else: an unknown or missing key, a decimal in another form,
  ///   a digest that is none, metrics that miss the limits beside them.
  package init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly([
      "schemaVersion", "architecture", "baseline", "calibration", "candidate", "classes",
      "coverage", "knownOutputs", "labels", "partner", "references", "limits", "metrics", "flips",
      "search",
      "sourceCheck", "threshold", "vocabulary", "warnings",
    ])
    _ = try object.integer(
      "schemaVersion", in: ReceiptText.schemaVersion...ReceiptText.schemaVersion)
    let references = try ReceiptReader.digest(
      "sha256", of: try ReceiptReader.object("references", of: object, keys: ["sha256"]))
    text = ReceiptText(
      baseline: try ReceiptReader.model("baseline", of: object),
      candidate: try ReceiptReader.model("candidate", of: object),
      architecture: try object.string("architecture"),
      calibration: object["calibration"] == nil
        ? nil : try ReceiptReader.calibration(of: object),
      vocabulary: object["vocabulary"] == nil
        ? nil : try ReceiptReader.vocabulary(of: object),
      partner: object["partner"] == nil ? nil : try ReceiptReader.partner(of: object),
      source: object["sourceCheck"] == nil
        ? nil : try SourceRecord(try object.object("sourceCheck")),
      known: object["knownOutputs"] == nil
        ? nil : try KnownRecord(try object.object("knownOutputs")),
      labels: object["labels"] == nil ? nil : try LabelRecord(try object.object("labels")),
      classes: object["classes"] == nil ? [] : try ClassFlips.recorded(of: object),
      coverage: object["coverage"] == nil
        ? nil : try CoverageRecord(try object.object("coverage")),
      references: references,
      search: object["search"] == nil
        ? nil : try SearchRecord(try object.object("search"), provenOn: references),
      limits: try ReceiptReader.limits(try object.object("limits")),
      threshold: object["threshold"] == nil
        ? nil : try ReceiptReader.decimal("threshold", of: object),
      metrics: try ReceiptReader.metrics(try object.object("metrics")),
      flips: object["flips"] == nil ? [] : try ReceiptReader.flips(of: object),
      warnings: try ReceiptReader.strings("warnings", of: object))
    guard
      text.calibration.map({ ![text.references, text.search?.references].contains($0.digest) })
        ?? true
    else {
      throw object.error(
        "the receipt names one set as calibration and as references", at: object.position)
    }
    text.metrics.take(text.labels, text.limits)
    let limits = text.limits.forRecorded
    let misses = limits.misses(text.metrics).map {
      RefusalReason.limit($0, limits.source(of: $0.key)).sentence
    }
    guard misses.isEmpty else {
      throw object.error(
        "the receipt says that its model passed, but " + misses.joined(separator: ", "),
        at: object.position)
    }
    if let fault = text.flipFault {
      throw object.error(fault, at: object["flips"]?.position ?? object.position)
    }
  }

  /// Which bytes the record is about.
  var provenance: Provenance {
    Provenance(
      baseline: baseline, candidate: candidate, architecture: architecture,
      calibration: calibration, vocabulary: vocabulary, partner: partner)
  }

  /// Whether the two can be of one verdict: they agree in everything but the models.
  func isOfOneVerdict(with other: RecordedReceipt) -> Bool {
    references == other.references && search == other.search && limits == other.limits
      && threshold == other.threshold
      && metrics == other.metrics && flips == other.flips && known == other.known
      && labels == other.labels && classes == other.classes
      && warnings == other.warnings
  }

  /// Whether this is the written form of a receipt.
  package func records(_ receipt: DriftReceipt) -> Bool { json == receipt.json }
}

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
