import StrictJSON

extension ClassLabels {
  /// The `labels` of a describing file: distinct texts, or distinct whole numbers.
  init(reading object: JSONObject) throws(JSONError) {
    let nodes = try object.array("labels")
    self =
      try nodes.contains { $0.integer != nil }
      ? .integers(Self.integers(nodes, object)) : .texts(Self.texts(nodes, object))
  }

  private static func texts(
    _ nodes: [JSONNode], _ object: JSONObject
  ) throws(JSONError) -> [String] {
    var labels: [String] = []
    var known: Set<ExactString> = []
    for node in nodes {
      guard let label = node.string, known.insert(ExactString(label)).inserted else {
        throw object.error("a label is \(node.kind), expected distinct strings", at: node.position)
      }
      labels.append(label)
    }
    return labels
  }

  private static func integers(
    _ nodes: [JSONNode], _ object: JSONObject
  ) throws(JSONError) -> [Int] {
    var labels: [Int] = []
    var known: Set<Int> = []
    for node in nodes {
      guard let label = node.integer, known.insert(label).inserted else {
        throw object.error(
          "a label is \(node.kind), expected distinct whole numbers as the others are",
          at: node.position)
      }
      labels.append(label)
    }
    return labels
  }
}
