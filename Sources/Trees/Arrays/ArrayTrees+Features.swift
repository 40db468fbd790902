import IngotFeatures
package import StrictJSON

/// The `inputs` of `model.json`.
extension ArrayTrees {
  /// Names, all different, and what each is; missing values are taken where nothing else is said.
  package static func features(_ model: JSONObject) throws(JSONError) -> [TreeFeature] {
    let schema = try FeatureSchema(model, "inputs", missing: .taken)
    var features: [TreeFeature] = []
    for feature in schema.features {
      guard let own = TreeFeature(feature) else {
        throw model.error(
          "the feature \(quoted(feature.name)) is encoded as several numbers; trees look at one",
          at: try model.required("inputs").position)
      }
      features.append(own)
    }
    return features
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
