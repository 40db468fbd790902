import Graph
import Inputs
import StrictJSON
import Weights

/// Reads the parts of a receipt strictly.
enum ReceiptReader {
  static func object(
    _ key: String, of parent: JSONObject, keys: [String]
  ) throws(JSONError) -> JSONObject {
    let object = try parent.object(key)
    try object.allowOnly(keys)
    return object
  }

  static func digest(_ key: String, of object: JSONObject) throws(JSONError) -> ContentDigest {
    let text = try object.string(key)
    guard let digest = ContentDigest(hex: text) else {
      throw object.error(
        "'\(key)' is \"\(text.prefix(70))\", expected 64 lower-case hexadecimal digits",
        at: try object.required(key).position)
    }
    return digest
  }

  /// The bytes of a model.
  static func model(_ key: String, of parent: JSONObject) throws(JSONError) -> ModelDigests {
    let object = try self.object(key, of: parent, keys: ["sha256", "files"])
    return ModelDigests(
      weights: try digest("sha256", of: object), files: try digests(try object.object("files")))
  }

  private static func digests(_ object: JSONObject) throws(JSONError) -> [String: ContentDigest] {
    var digests: [String: ContentDigest] = [:]
    for member in object.members {
      let digest = try digest(member.key, of: object)
      // Two paths of other bytes can be one key of a dictionary.
      guard digests.updateValue(digest, forKey: member.key) == nil else {
        throw object.error(
          "'\(member.key)' and another path differ in their Unicode form only",
          at: member.value.position)
      }
    }
    return digests
  }

  /// The inputs the candidate was fitted to.
  static func calibration(of parent: JSONObject) throws(JSONError) -> CalibrationRecord {
    let object = try self.object("calibration", of: parent, keys: ["sha256", "inputs"])
    return CalibrationRecord(
      digest: try digest("sha256", of: object),
      inputs: try object.integer("inputs", in: 1...Int.max))
  }

  /// The texts whose tokens the candidate kept.
  static func vocabulary(of parent: JSONObject) throws(JSONError) -> VocabularyRecord {
    let object = try self.object(
      "vocabulary", of: parent, keys: ["corpus", "kept", "dropped"])
    let corpus = try self.object("corpus", of: object, keys: ["sha256"])
    return VocabularyRecord(
      corpus: try digest("sha256", of: corpus),
      kept: try object.integer("kept", in: 1...Int(Int32.max)),
      dropped: try object.integer("dropped", in: 0...Int(Int32.max)))
  }

  /// The encoder that ran beside.
  static func partner(of parent: JSONObject) throws(JSONError) -> PartnerEncoder {
    let object = try self.object(
      "partner", of: parent, keys: ["encoder", "baseline", "candidate"])
    guard let encoder = EncoderKind(rawValue: try object.string("encoder")) else {
      throw object.mismatch(
        "encoder", expected: EncoderKind.allCases.map(\.rawValue).joined(separator: " or "),
        try object.required("encoder"))
    }
    return PartnerEncoder(
      encoder: encoder, baseline: try model("baseline", of: object),
      candidate: try model("candidate", of: object))
  }

  /// The flips, which are never an empty list.
  static func flips(of parent: JSONObject) throws(JSONError) -> [RecordedFlip] {
    var flips: [RecordedFlip] = []
    for node in try parent.array("flips") {
      guard let object = node.object else {
        throw parent.error("'flips' holds \(node.kind), expected objects", at: node.position)
      }
      try object.allowOnly(["line", "before", "after"])
      let line = try object.integer("line", in: 1...ReferenceSet.lineLimit)
      if let last = flips.last, line <= last.line {
        throw object.error(
          "a flip of line \(line) comes behind one of line \(last.line)", at: object.position)
      }
      flips.append(
        RecordedFlip(
          line: line, before: try metric("before", of: object),
          after: try metric("after", of: object)))
    }
    guard !flips.isEmpty else {
      throw parent.error(
        "'flips' is empty; without flips there is no such key",
        at: try parent.required("flips").position)
    }
    return flips
  }

  static func strings(_ key: String, of object: JSONObject) throws(JSONError) -> [String] {
    var strings: [String] = []
    for node in try object.array(key) {
      guard let string = node.string else {
        throw object.error("'\(key)' holds \(node.kind), expected strings", at: node.position)
      }
      strings.append(string)
    }
    return strings
  }

  /// A decimal in a string, in the form it would be written in.
  static func decimal(_ key: String, of object: JSONObject) throws(JSONError) -> Double {
    let text = try object.string(key)
    guard let value = Double(text), value.isFinite, Figures.plain(value) == text else {
      throw object.error(
        "'\(key)' is \"\(text.prefix(40))\", expected a decimal in its shortest form",
        at: try object.required(key).position)
    }
    return value
  }

  /// A metric: a decimal with at most four decimals.
  static func metric(_ key: String, of object: JSONObject) throws(JSONError) -> Double {
    let value = try decimal(key, of: object)
    guard Figures.recorded(value) == Figures.plain(value) else {
      throw object.error(
        "'\(key)' has more than \(Figures.receiptDecimals) decimals",
        at: try object.required(key).position)
    }
    return value
  }

  static func limits(_ object: JSONObject) throws(JSONError) -> Limits {
    try object.allowOnly(["profile"] + Limits.Key.allCases.map(\.rawValue))
    let name = try object.string("profile")
    guard let profile = Limits.Profile(rawValue: name) else {
      throw object.mismatch(
        "profile", expected: Limits.Profile.allCases.map(\.rawValue).joined(separator: ", "),
        try object.required("profile"))
    }
    return try Limits(object, profile: profile)
  }

  static func metrics(_ object: JSONObject) throws(JSONError) -> DriftMetrics {
    let isOutputs = object["outputDrift"] != nil
    try object.allowOnly(
      ["distinct", "flips", "inputs", "pairs"]
        + (isOutputs
          ? ["outputDrift"]
          : [
            "cosine", "similarityDrift", "neighbourOverlap", "topOneAgreement", "normDrift",
            "spearman",
          ]))
    return DriftMetrics(
      drift: isOutputs
        ? .outputs(try spread("outputDrift", of: object))
        : .embeddings(try embeddings(object)),
      flips: try object.integer("flips"), inputs: try object.integer("inputs", in: 1...Int.max),
      pairs: try object.integer("pairs"),
      distinct: object["distinct"] == nil ? nil : try distinct(of: object))
  }

  /// The inputs and pairs that the models could tell apart: at most all.
  private static func distinct(of parent: JSONObject) throws(JSONError) -> ReferenceSet.Counts {
    let object = try self.object("distinct", of: parent, keys: ["inputs", "pairs"])
    let inputs = try parent.integer("inputs", in: 1...Int.max)
    let pairs = try parent.integer("pairs")
    return ReferenceSet.Counts(
      inputs: try object.integer("inputs", in: 1...inputs),
      pairs: try object.integer("pairs", in: min(1, pairs)...pairs))
  }

  private static func embeddings(
    _ object: JSONObject
  ) throws(JSONError) -> DriftMetrics.Embeddings {
    let cosine = try self.object("cosine", of: object, keys: ["mean", "p1", "min"])
    return DriftMetrics.Embeddings(
      cosine: DriftMetrics.Cosine(
        mean: try metric("mean", of: cosine), p1: try metric("p1", of: cosine),
        min: try metric("min", of: cosine)),
      similarityDrift: try spread("similarityDrift", of: object),
      neighbourOverlap: try metric("neighbourOverlap", of: object),
      topOneAgreement: try metric("topOneAgreement", of: object),
      spearman: object["spearman"] == nil ? nil : try spearman(object),
      normDrift: try metric("normDrift", of: object))
  }

  private static func spread(
    _ key: String, of parent: JSONObject
  ) throws(JSONError) -> DriftMetrics.Spread {
    let object = try self.object(key, of: parent, keys: ["mean", "max"])
    return DriftMetrics.Spread(
      mean: try metric("mean", of: object), max: try metric("max", of: object))
  }

  private static func spearman(_ parent: JSONObject) throws(JSONError) -> DriftMetrics.Spearman {
    let object = try self.object("spearman", of: parent, keys: ["baseline", "candidate"])
    return DriftMetrics.Spearman(
      baseline: try metric("baseline", of: object), candidate: try metric("candidate", of: object))
  }
}
