import Formats
import Graph
import IngotFeatures
import PackageNames
import StrictJSON
import Weights

extension ModelEntry {
  /// Reads a manifest's entry for a model.
  init(_ object: JSONObject) throws {
    try object.allowOnly([
      "name", "flowId", "flowName", "modelVersion", "encoder", "path", "format", "architecture",
      "inputs", "outputs", "prompt", "decision", "cacheKey", "inputConfiguration", "selfTest",
      "compression", "gate",
    ])
    identity = try ModelIdentity(object)
    path = try object.path("path")
    format = try ModelFormat(
      named: try object.oneOf(ModelFormat.allCases.map(\.name), "format"))
    architecture = try object.string("architecture")
    inputs = try object.objects("inputs").map(TensorDescription.init)
    outputs = try object.objects("outputs").map(TensorDescription.init)
    prompt = try object.has("prompt") ? object.string("prompt") : nil
    let decision = try object.has("decision") ? object.object("decision") : nil
    try decision?.allowOnly(["threshold"])
    threshold = try decision?.decimal("threshold")
    cacheKey = try object.has("cacheKey") ? object.digest("cacheKey") : nil
    inputConfiguration =
      try object.has("inputConfiguration") ? object.path("inputConfiguration") : nil
    selfTest = try object.has("selfTest") ? object.path("selfTest") : nil
    compression = try CompressionFacts(try object.object("compression"))
    gate = try GateFacts(try object.object("gate"))
  }
}

extension CompressionFacts {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["method", "options", "originalBytes", "bytes"])
    method = try object.string("method")
    let options = try object.object("options")
    var values: [String: String] = [:]
    for member in options.members {
      guard Identifiers.isOptionName(member.key) else {
        throw options.error(
          "'\(member.key.prefix(60).asciiEscaped)' is not an option's name",
          at: member.value.position)
      }
      values[member.key] = try options.string(member.key)
    }
    self.options = values
    originalBytes = try object.size("originalBytes")
    bytes = try object.size("bytes")
  }
}

extension ModelIdentity {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    let encoder =
      object.has("encoder")
      ? EncoderKind(
        rawValue: try object.oneOf(EncoderKind.allCases.map(\.rawValue), "encoder")) : nil
    if object.has("name") {
      for key in ["flowId", "flowName", "modelVersion"] where object[key] != nil {
        throw object.error("a model has 'name' or '\(key)', not both", at: object.position)
      }
      let name = try object.string("name")
      guard Identifiers.isPackedName(name) else {
        throw object.error("'name' is not a model's name", at: object.position)
      }
      self = .shared(name: name, encoder: encoder)
    } else {
      let name = try object.string("flowName")
      guard Identifiers.isFlowName(name) else {
        throw object.error("'flowName' does not match [a-z0-9_]{1,64}", at: object.position)
      }
      self = .flow(
        id: try object.integer("flowId", in: 0...Int.max), name: name,
        modelVersion: try object.integer("modelVersion", in: 1...Int.max), encoder: encoder)
    }
  }
}

extension TensorDescription {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly(["name", "dtype", "shape", "features", "featureSchema", "labels"])
    var shape: [Int] = []
    for node in try object.array("shape") {
      guard let length = node.integer, length >= -1 else {
        throw object.mismatch("shape", expected: "lengths, or -1 for any", node)
      }
      shape.append(length)
    }
    let features = try object.has("features") ? object.strings("features") : []
    self.init(
      name: try object.string("name"),
      dtype: try object.oneOf(TensorDescription.dtypes, "dtype"), shape: shape,
      features: features, schema: try TensorDescription.schema(object, features, shape),
      labels: try TensorDescription.labels(object))
  }

  private static func schema(
    _ object: JSONObject, _ features: [String], _ shape: [Int]
  ) throws(JSONError) -> FeatureSchema? {
    guard let node = object["featureSchema"] else { return nil }
    let schema = try FeatureSchema(object, "featureSchema", takesNames: true)
    guard schema.names == features, schema.columnCount == shape.last, !schema.isPlain else {
      throw object.error(
        "'featureSchema' has \(schema.columnCount) numbers for \(Figures.list(schema.names)), 'shape' and "
          + "'features' say \(shape) and \(Figures.list(features))", at: node.position)
    }
    return schema
  }

  // All texts, or all whole numbers.
  private static func labels(_ object: JSONObject) throws(JSONError) -> ClassLabels {
    guard object.has("labels") else { return [] }
    let nodes = try object.array("labels")
    guard nodes.first?.integer != nil else { return .texts(try object.strings("labels")) }
    var labels: [Int] = []
    for node in nodes {
      guard case .number(let digits) = node.content, let label = Int(digits) else {
        throw object.mismatch("labels", expected: "whole numbers", node)
      }
      labels.append(label)
    }
    return .integers(labels)
  }
}

extension GateFacts {
  fileprivate init(_ object: JSONObject) throws(JSONError) {
    try object.allowOnly([
      "passed", "profile", "limits", "metrics", "baseline", "references", "receipt",
    ])
    guard try object.bool("passed") else {
      throw object.error("'passed' is false: no package holds such a model", at: object.position)
    }
    profile = try object.oneOf(["strict", "standard", "lenient"], "profile")
    limits = try GateFacts.limits(object, profile: profile)
    let metrics = try object.object("metrics")
    var values: [String: String] = [:]
    for member in metrics.members {
      values[member.key] = try metrics.decimal(member.key)
    }
    self.metrics = values
    baseline = try object.object("baseline").onlyDigest()
    references = try object.object("references").onlyDigest()
    receipt = try object.path("receipt")
  }
}

/// Fields that manifests use over and over.
extension JSONObject {
  /// Largest file a ustar header can describe, in bytes.
  static let largestFile = 0o77777777777

  func size(_ key: String) throws(JSONError) -> Int {
    try integer(key, in: 0...JSONObject.largestFile)
  }

  func strings(_ key: String) throws(JSONError) -> [String] {
    var texts: [String] = []
    for node in try array(key) {
      guard let text = node.string else { throw mismatch(key, expected: "strings", node) }
      texts.append(text)
    }
    return texts
  }

  func objects(_ key: String) throws(JSONError) -> [JSONObject] {
    var objects: [JSONObject] = []
    for node in try array(key) {
      guard let object = node.object else { throw mismatch(key, expected: "objects", node) }
      objects.append(object)
    }
    return objects
  }

  func oneOf(_ words: [String], _ key: String) throws(JSONError) -> String {
    let word = try string(key)
    guard words.contains(where: { ExactString($0) == ExactString(word) }) else {
      throw error(
        "'\(key)' is '\(word.prefix(60))', expected \(words.joined(separator: " or "))",
        at: position)
    }
    return word
  }

  func version(_ key: String) throws(JSONError) -> SemanticVersion {
    let text = try string(key)
    guard let version = SemanticVersion(text) else {
      throw error(
        "'\(key)' is '\(text.prefix(60))', expected a version such as 1.4.0", at: position)
    }
    return version
  }

  /// A decimal number in a string, without exponent.
  func decimal(_ key: String) throws(JSONError) -> String {
    let text = try string(key)
    guard Identifiers.isDecimal(text) else {
      throw error(
        "'\(key)' is '\(text)', expected a decimal number", at: try required(key).position)
    }
    return text
  }

  func path(_ key: String) throws(JSONError) -> PackagePath {
    let text = try string(key)
    do throws(PackagingError) {
      return try PackagePath(text)
    } catch let failure {
      throw error("'\(key)': \(failure)", at: position)
    }
  }

  func digest(_ key: String) throws(JSONError) -> ContentDigest {
    let text = try string(key)
    guard let digest = ContentDigest(hex: text) else {
      throw error("'\(key)' is not 64 lower-case hexadecimal digits", at: position)
    }
    return digest
  }

  /// The digest of an object that holds nothing else.
  func onlyDigest() throws(JSONError) -> ContentDigest {
    try allowOnly(["sha256"])
    return try digest("sha256")
  }
}
