import Inputs
import StrictJSON
package import Weights

/// The part of a receipt on outputs made elsewhere, by the library that a model was trained
/// with: the files, and how near they are to Ingot's outputs for the same inputs.
///
/// The figures are bounds: cosines are rounded down and differences up, so that none is better than
/// the measured value.
package struct SourceRecord: Equatable, Sendable {
  /// Cosine between the given outputs and the model's, over all inputs.
  package struct Cosine: Equatable, Sendable {
    package let mean: Double
    package let min: Double
  }

  /// Digest of the file of vectors.
  package let vectors: ContentDigest
  /// How its numbers are stored.
  package let type: VectorType
  /// Digest of the file of inputs, its images included.
  package let inputs: ContentDigest
  /// How many inputs were compared.
  package let count: Int
  /// Nil if outputs are not embeddings.
  package let cosine: Cosine?
  /// Largest difference of one number; see `SourceComparison`.
  package let maxDifference: Double

  /// Why the figures are not those of an agreement; nil when they are.
  var fault: String? {
    if let cosine {
      guard cosine.min >= type.minCosine, cosine.mean >= cosine.min, cosine.mean <= 1 else {
        return "cosine min \(Figures.plain(cosine.min)) and mean \(Figures.plain(cosine.mean)) "
          + "are not from \(Figures.plain(type.minCosine)) to 1"
      }
    }
    guard (0...SourceComparison.differenceLimit).contains(maxDifference) else {
      return "a difference of \(Figures.plain(maxDifference)) is not from 0 to "
        + Figures.plain(SourceComparison.differenceLimit)
    }
    guard count >= SourceCheck.fewestInputs else {
      return "\(Figures.count(count, "input")), at least \(SourceCheck.fewestInputs) are compared"
    }
    return nil
  }

  /// One line for people: `agrees with vectors made elsewhere, cosine min 0.9999998 (200 inputs)`.
  package var words: String {
    let figure =
      cosine.map { "vectors made elsewhere, cosine min \(Figures.plain($0.min))" }
      ?? "outputs made elsewhere, largest difference \(Figures.plain(maxDifference))"
    return "agrees with \(figure) (\(Figures.count(count, "input")))"
  }

  /// Words for a missing record.
  package static let missing = "nobody checked that outputs are those of where it was trained"
}

/// How the numbers of a file of vectors are stored; the raw value is numpy's name.
package enum VectorType: String, CaseIterable, Sendable {
  case float16, float32, float64

  /// Nil for types that vectors are not saved as.
  init?(_ type: ElementType) {
    switch type {
    case .f16: self = .float16
    case .f32: self = .float32
    case .f64: self = .float64
    default: return nil
    }
  }

  /// The least cosine of an agreement. Who saves float16 mostly ran the model in float16, which costs
  /// some 0.000001; nothing that is read in another way comes near either bound.
  var minCosine: Double {
    switch self {
    case .float16: 0.99999
    case .float32, .float64: 0.999999
    }
  }
}

extension SourceRecord {
  /// Decimals of a cosine in a receipt; it is rounded down.
  static let cosineDecimals = 7
  /// Decimals of a difference in a receipt; it is rounded up.
  static let differenceDecimals = 5

  /// As a receipt records it; `specs/formats/receipt.md` lists the keys.
  var json: JSONValue {
    var members: [String: JSONValue] = [
      "vectors": ["sha256": .string(vectors.hex), "type": .string(type.rawValue)],
      "inputs": ["sha256": .string(inputs.hex), "count": .integer(count)],
      "maxDifference": .string(Figures.plain(maxDifference)),
    ]
    if let cosine {
      members["cosine"] = [
        "mean": .string(Figures.plain(cosine.mean)), "min": .string(Figures.plain(cosine.min)),
      ]
    }
    return .object(members)
  }

  /// Reads the form that `json` writes, and nothing else.
  init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["vectors", "inputs", "cosine", "maxDifference"])
    let vectors = try ReceiptReader.object("vectors", of: object, keys: ["sha256", "type"])
    let inputs = try ReceiptReader.object("inputs", of: object, keys: ["sha256", "count"])
    guard let type = VectorType(rawValue: try vectors.string("type")) else {
      throw vectors.mismatch(
        "type", expected: VectorType.allCases.map(\.rawValue).joined(separator: ", "),
        try vectors.required("type"))
    }
    self.init(
      vectors: try ReceiptReader.digest("sha256", of: vectors), type: type,
      inputs: try ReceiptReader.digest("sha256", of: inputs),
      count: try inputs.integer("count", in: 1...Int.max),
      cosine: object["cosine"] == nil ? nil : try SourceRecord.cosine(of: object),
      maxDifference: try SourceRecord.figure(
        "maxDifference", of: object, SourceRecord.differenceDecimals))
    if let fault { throw object.error(fault, at: object.position) }
  }

  private static func cosine(of parent: JSONObject) throws(JSONError) -> Cosine {
    let object = try ReceiptReader.object("cosine", of: parent, keys: ["mean", "min"])
    return Cosine(
      mean: try figure("mean", of: object, SourceRecord.cosineDecimals),
      min: try figure("min", of: object, SourceRecord.cosineDecimals))
  }

  private static func figure(
    _ key: String, of object: JSONObject, _ decimals: Int
  ) throws(JSONError) -> Double {
    let value = try ReceiptReader.decimal(key, of: object)
    guard Figures.text(value, decimals: decimals) == Figures.plain(value) else {
      throw object.error(
        "'\(key)' has more than \(decimals) decimals", at: try object.required(key).position)
    }
    return value
  }

  /// A figure as it is recorded, rounded down or up.
  static func recorded(
    _ value: Double, _ decimals: Int, _ rule: FloatingPointRoundingRule
  ) -> Double {
    var factor = 1.0
    for _ in 0..<decimals { factor *= 10 }
    return Double(Figures.text((value * factor).rounded(rule) / factor, decimals: decimals))
      ?? value
  }
}
