import Inputs
import StrictJSON
import Weights

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
