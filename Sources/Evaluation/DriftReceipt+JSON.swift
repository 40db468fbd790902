package import StrictJSON

extension DriftReceipt {
  /// The receipt as it stands in a package; `specs/formats/receipt.md` lists the keys.
  package var json: JSONValue {
    ReceiptText(
      baseline: baseline.hex, candidate: candidate.hex,
      candidateFiles: candidateFiles.mapValues(\.hex), architecture: architecture,
      references: references.hex, limits: limits, threshold: threshold, metrics: metrics,
      warnings: warnings
    ).json
  }
}

/// What a receipt says, for writing and for comparing; proves nothing.
struct ReceiptText: Equatable, Sendable {
  var baseline: String
  var candidate: String
  var candidateFiles: [String: String]
  var architecture: String
  var references: String
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
      "baseline": ["sha256": .string(baseline)],
      "candidate": [
        "sha256": .string(candidate), "files": .object(candidateFiles.mapValues(JSONValue.string)),
      ],
      "references": ["sha256": .string(references)],
      "limits": .object(limitMembers),
      "metrics": metrics.json { .string(Figures.recorded($0)) },
      "warnings": .array(warnings.map(JSONValue.string)),
    ]
    if let threshold { members["threshold"] = .string(Figures.plain(threshold)) }
    return .object(members)
  }
}
