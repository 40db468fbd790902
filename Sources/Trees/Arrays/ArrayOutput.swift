package import StrictJSON

/// The `output` of `model.json`.
package struct ArrayOutput {
  package let task: TreeTask
  /// Whether a classifier's outputs are probabilities.
  package let givesProbabilities: Bool
  package let name: String?

  /// - Parameter width: outputs of the trees.
  package init(
    _ model: JSONObject, transform: TreeEnsemble.Transform, width: Int
  ) throws(JSONError) {
    let output = try model.object("output")
    let kind = try output.string("kind")
    name = output["name"] == nil ? nil : try output.string("name")
    switch kind {
    case "regressor":
      try output.allowOnly(["name", "kind"])
      task = .regression
      givesProbabilities = false
    case "classifier":
      try output.allowOnly(["name", "kind", "labels", "gives"])
      task = .classification(labels: try ArrayOutput.labels(output, width: width))
      givesProbabilities = try ArrayOutput.givesProbabilities(output, transform)
    default:
      throw output.error(
        "'kind' is \(quoted(kind)), expected classifier or regressor",
        at: try output.required("kind").position)
    }
  }

  private static func labels(
    _ output: JSONObject, width: Int
  ) throws(JSONError) -> TreeLabels {
    let position = try output.required("labels").position
    let labels = try TreeLabels(output.array("labels"), "label", of: output, at: position)
    guard labels.count == width || (labels.count == 2 && width == 1) else {
      throw output.error(
        "there \(Figures.are(labels.count, "label")), the trees have \(Figures.count(width, "output"))",
        at: position)
    }
    return labels
  }

  private static func givesProbabilities(
    _ output: JSONObject, _ transform: TreeEnsemble.Transform
  ) throws(JSONError) -> Bool {
    switch transform {
    case .identity: break
    case .sigmoid, .softmax, .oneVersusRest, .share:
      guard output["gives"] != nil else { return true }
    case .exponential, .isolation:
      throw output.error(
        "the transform '\(transform.rawValue)' is for a regressor", at: output.position)
    }
    let node = try output.required("gives")
    switch try output.string("gives") {
    case "probabilities": return true
    case "scores" where transform == .identity: return false
    default:
      throw output.mismatch(
        "gives",
        expected: transform == .identity
          ? "'probabilities' or 'scores'"
          : "'probabilities', as '\(transform.rawValue)' gives them", node)
    }
  }
}
