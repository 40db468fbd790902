package import StrictJSON

/// The `inputs` of `model.json`.
extension ArrayTrees {
  /// Names, all different, and what each is.
  package static func features(_ model: JSONObject) throws(JSONError) -> [TreeFeature] {
    var features: [TreeFeature] = []
    var known: Set<ExactString> = []
    for node in try model.array("inputs") {
      guard let object = node.object else {
        throw model.error("a feature is \(node.kind), expected an object", at: node.position)
      }
      try object.allowOnly(["name", "kind", "categories"])
      let name = try object.string("name")
      guard !name.isEmpty, known.insert(ExactString(name)).inserted else {
        throw model.error(
          "the feature name \(quoted(name)) is empty or appears twice", at: node.position)
      }
      features.append(TreeFeature(name, try kind(object)))
    }
    guard !features.isEmpty else {
      throw model.error("'inputs' is empty", at: try model.required("inputs").position)
    }
    return features
  }

  private static func kind(_ feature: JSONObject) throws(JSONError) -> TreeFeature.Kind {
    let word = feature["kind"] == nil ? "number" : try feature.string("kind")
    guard word == "category" || feature["categories"] == nil else {
      throw feature.error(
        "'categories' is for the kind 'category', the kind is \(quoted(word))",
        at: try feature.required("categories").position)
    }
    switch word {
    case "number": return .number
    case "boolean": return .boolean
    case "category": return .category(names: try categories(feature))
    default:
      throw feature.error(
        "'kind' is \(quoted(word)), expected number, boolean or category",
        at: try feature.required("kind").position)
    }
  }

  /// Texts, or whole numbers in digits; none where the value itself is the category.
  private static func categories(_ feature: JSONObject) throws(JSONError) -> [String] {
    guard feature["categories"] != nil else { return [] }
    let labels = try TreeLabels(
      feature.array("categories"), "category", of: feature,
      at: feature.required("categories").position)
    switch labels {
    case .texts(let texts): return texts
    case .integers(let integers): return integers.map(String.init)
    }
  }
}

extension TreeLabels {
  /// Distinct texts, or distinct whole numbers.
  ///
  /// - Parameter noun: what one of them is, for messages.
  init(
    _ nodes: [JSONNode], _ noun: String, of object: JSONObject, at position: JSONPosition
  ) throws(JSONError) {
    guard let first = nodes.first else {
      throw object.error("there is no \(noun)", at: position)
    }
    var texts: [String] = []
    var integers: [Int] = []
    var known: Set<ExactString> = []
    for node in nodes {
      let word = first.string == nil ? node.integer.map(String.init) : node.string
      guard let word, known.insert(ExactString(word)).inserted else {
        throw object.error(
          "a \(noun) is \(node.kind), expected distinct texts or distinct whole numbers",
          at: node.position)
      }
      if let integer = node.integer { integers.append(integer) } else { texts.append(word) }
    }
    self = integers.isEmpty ? .texts(texts) : .integers(integers)
  }
}
