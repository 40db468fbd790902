package import StrictJSON

extension FeatureSchema {
  /// Reads the features under a key of an object.
  ///
  /// - Parameters:
  ///   - missing: what happens to missing values where a feature does not say it.
  ///   - takesNames: whether a name alone is a feature, too: a plain number.
  /// - Throws: `JSONError`.
  package init(
    _ object: JSONObject, _ key: String, missing: Feature.Missing = .refused,
    takesNames: Bool = false
  ) throws(JSONError) {
    let list = try object.required(key)
    var features: [Feature] = []
    var known: Set<ExactString> = []
    for node in try object.array(key) {
      let feature: Feature
      if takesNames, let name = node.string {
        feature = Feature(name)
      } else if let own = node.object {
        feature = try Feature(own, missing: missing)
      } else {
        throw object.error("a feature is \(node.kind), expected an object", at: node.position)
      }
      guard !feature.name.isEmpty, known.insert(ExactString(feature.name)).inserted else {
        throw object.error(
          "the feature name \(quoted(feature.name)) is empty or appears twice", at: node.position)
      }
      features.append(feature)
    }
    guard !features.isEmpty else {
      throw object.error("\(quoted(key)) is empty", at: list.position)
    }
    do throws(FeatureError) {
      try self.init(features)
    } catch {
      throw object.error(error.description, at: list.position)
    }
  }

  /// What `init` reads where it takes names, in one form: the name alone of a plain number.
  package var jsonValue: JSONValue {
    .array(features.map { $0.isPlain ? .string($0.name) : $0.json() })
  }

  /// The text: compact, with sorted keys, in ASCII; one schema has one text.
  public var json: [UInt8] { CanonicalJSON.bytes(of: ["features": jsonValue]) }

  /// Reads the text.
  ///
  /// - Throws: `FeatureError.schema` for any text that `json` would not have given.
  public init(json: [UInt8]) throws(FeatureError) {
    do throws(JSONError) {
      let object = try JSONParser.parseObject(json, origin: "schema of features")
      try object.allowOnly(["features"])
      try self.init(object, "features", takesNames: true)
    } catch {
      throw .schema(error.description)
    }
    guard self.json == json else {
      throw .schema(
        "schema of features: is not written as Ingot writes it: compact, keys sorted, each value in "
          + "its one form")
    }
  }
}
