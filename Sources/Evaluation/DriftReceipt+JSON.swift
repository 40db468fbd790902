package import StrictJSON
import Weights

extension DriftReceipt {
  /// Name of the profile the limits started from.
  package var profile: Limits.Profile { limits.profile }

  /// The receipt as it stands in a package; `specs/formats/receipt.md` lists the keys.
  package var json: JSONValue {
    ReceiptText(
      baseline: baseline, baselineFiles: baselineFiles, candidate: candidate,
      candidateFiles: candidateFiles,
      architecture: architecture, references: references, limits: limits, threshold: threshold,
      metrics: metrics, warnings: warnings
    ).json
  }
}

/// What a receipt says, for writing and for comparing; proves nothing.
struct ReceiptText: Equatable, Sendable {
  var baseline: ContentDigest
  var baselineFiles: [String: ContentDigest]
  var candidate: ContentDigest
  var candidateFiles: [String: ContentDigest]
  var architecture: String
  var references: ContentDigest
  var limits: Limits
  var threshold: Double?
  var metrics: DriftMetrics
  var warnings: [String]

  static let schemaVersion = 1

  /// Decimals are strings, because signed bytes must not depend on how a reader takes floats.
  var json: JSONValue {
    var limitMembers: [String: JSONValue] = ["profile": .string(limits.profile.rawValue)]
    for key in Limits.Key.allCases {
      limitMembers[key.rawValue] = .string(Figures.plain(limits[key]))
    }
    var members: [String: JSONValue] = [
      "schemaVersion": .integer(ReceiptText.schemaVersion),
      "architecture": .string(architecture),
      "baseline": ReceiptText.json(baseline, baselineFiles),
      "candidate": ReceiptText.json(candidate, candidateFiles),
      "references": ["sha256": .string(references.hex)],
      "limits": .object(limitMembers),
      "metrics": metrics.json { .string(Figures.recorded($0)) },
      "warnings": .array(warnings.map(JSONValue.string)),
    ]
    if let threshold { members["threshold"] = .string(Figures.plain(threshold)) }
    return .object(members)
  }

  /// A model: its weight bytes and the files that describe it.
  private static func json(
    _ weights: ContentDigest, _ files: [String: ContentDigest]
  ) -> JSONValue {
    [
      "sha256": .string(weights.hex), "files": .object(files.mapValues { .string($0.hex) }),
    ]
  }
}
