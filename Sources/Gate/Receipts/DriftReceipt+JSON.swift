import Graph
import Inputs
package import StrictJSON
import Weights

extension DriftReceipt {
  /// Name of the profile the limits started from.
  package var profile: Limits.Profile { limits.profile }

  /// The receipt as packages hold it; `specs/formats/receipt.md` lists the keys.
  package var json: JSONValue {
    ReceiptText(
      baseline: baseline, candidate: candidate, architecture: architecture,
      calibration: calibration, vocabulary: vocabulary, partner: partner, source: source,
      known: known, labels: labels, classes: classes,
      coverage: coverage, references: references, search: search, limits: limits,
      threshold: threshold,
      metrics: metrics, flips: flips, warnings: warnings
    ).json
  }
}

/// The content of a receipt, for writing and for comparing; proves nothing.
struct ReceiptText: Equatable, Sendable {
  var baseline: ModelDigests
  var candidate: ModelDigests
  var architecture: String
  var calibration: CalibrationRecord?
  var vocabulary: VocabularyRecord?
  var partner: PartnerEncoder?
  var source: SourceRecord?
  var known: KnownRecord?
  var labels: LabelRecord?
  var classes: [ClassFlips]
  var coverage: CoverageRecord?
  var references: ContentDigest
  var search: SearchRecord?
  var limits: Limits
  var threshold: Double?
  var metrics: DriftMetrics
  var flips: [RecordedFlip]
  var warnings: [String]

  static let schemaVersion = 1

  /// Decimals are strings, because signed bytes must not depend on how a reader takes floats.
  var json: JSONValue {
    var limitMembers = limits.texts.mapValues(JSONValue.string)
    limitMembers["profile"] = .string(limits.profile.rawValue)
    var members: [String: JSONValue] = [
      "schemaVersion": .integer(ReceiptText.schemaVersion),
      "architecture": .string(architecture),
      "baseline": baseline.json,
      "candidate": candidate.json,
      "references": ["sha256": .string(references.hex)],
      "limits": .object(limitMembers),
      "metrics": metrics.json { .string(Figures.recorded($0)) },
      "warnings": .array(warnings.map(JSONValue.string)),
    ]
    if let threshold { members["threshold"] = .string(Figures.plain(threshold)) }
    if !flips.isEmpty { members["flips"] = .array(flips.map(\.json)) }
    if let calibration {
      members["calibration"] = [
        "sha256": .string(calibration.digest.hex), "inputs": .integer(calibration.inputs),
      ]
    }
    if let vocabulary {
      members["vocabulary"] = [
        "corpus": ["sha256": .string(vocabulary.corpus.hex)], "kept": .integer(vocabulary.kept),
        "dropped": .integer(vocabulary.dropped),
      ]
    }
    if let source { members["sourceCheck"] = source.json }
    if let known { members["knownOutputs"] = known.json }
    if let labels { members["labels"] = labels.json }
    if !classes.isEmpty { members["classes"] = .array(classes.map(\.json)) }
    if let search { members["search"] = search.json }
    if let coverage { members["coverage"] = coverage.json }
    if let partner {
      members["partner"] = [
        "encoder": .string(partner.encoder.rawValue),
        "baseline": partner.baseline.json,
        "candidate": partner.candidate.json,
      ]
    }
    return .object(members)
  }
}

extension ModelDigests {
  /// As receipts name a model.
  fileprivate var json: JSONValue {
    ["sha256": .string(weights.hex), "files": .object(files.mapValues { .string($0.hex) })]
  }
}

extension ReceiptText {
  /// Why the flips would not have been written beside the rest; nil when they would.
  ///
  /// Rounding keeps order, so what is true of numbers is true of rounded ones, but for being equal.
  var flipFault: String? {
    guard metrics.flips == flips.count else {
      return "the metrics count \(Figures.count(metrics.flips, "flip")), \(flips.count) are listed"
    }
    // Receipts of before classes were recorded have none.
    let ofClasses = classes.reduce(0) { $0 + $1.flips }
    guard classes.isEmpty || ofClasses == metrics.flips else {
      return "the metrics count \(Figures.count(metrics.flips, "flip")), its classes \(ofClasses)"
    }
    guard case .embeddings = metrics.drift, !flips.isEmpty else { return nil }
    guard let threshold else { return "a pair flips, but there is no threshold" }
    let pairs = metrics.distinct?.pairs ?? metrics.pairs
    guard flips.count <= pairs else {
      return "\(Figures.count(flips.count, "flip")) of \(Figures.count(pairs, "pair"))"
    }
    let limit = limits[.similarityDriftMean]
    let halfStep = 0.00005 + 1e-9
    for flip in flips {
      let (low, high) = (min(flip.before, flip.after), max(flip.before, flip.after))
      guard low <= threshold + halfStep, high >= threshold - halfStep else {
        return "line \(flip.line) flips from \(Figures.plain(flip.before)) to "
          + "\(Figures.plain(flip.after)), which does not cross \(Figures.plain(threshold))"
      }
      guard (flip.before - threshold).magnitude <= limit + halfStep else {
        return "line \(flip.line) flips from \(Figures.plain(flip.before)), farther from "
          + "\(Figures.plain(threshold)) than \(Figures.plain(limit)), which is refused"
      }
      guard (-1...1).contains(low), (-1...1).contains(high) else {
        return "line \(flip.line) flips between similarities outside -1...1"
      }
    }
    return nil
  }
}
