import StrictJSON

/// The `output` of `model.json`.
extension Dense {
  /// The name of the output.
  static func outputName(_ model: JSONObject) throws(JSONError) -> String {
    let output = try model.object("output")
    return output.has("name") ? try output.string("name") : "output"
  }

  /// The values that the last layer gives.
  static func output(
    _ model: JSONObject, last: Layer, hasTwoColumns: Bool
  ) throws(JSONError) -> ModelOutput {
    let object = try model.object("output")
    try object.allowOnly(["name", "kind", "labels", "columns"])
    let width = hasTwoColumns ? 2 : last.outputCount
    let kind = try object.string("kind")
    switch kind {
    case "embedding": return .embedding(width: width)
    case "regressor": return .numbers(width: width)
    case "classifier":
      return .classes(
        labels: try labels(object, width: width), width: width,
        scale: last.activation.givesProbabilities ? .probabilities : .scores)
    default:
      throw object.error(
        "'kind' is '\(kind)', expected classifier, regressor or embedding", at: object.position)
    }
  }

  /// Whether both probabilities of two classes are requested although the last layer gives one.
  static func hasTwoColumns(_ model: JSONObject, last: Layer) throws(JSONError) -> Bool {
    let object = try model.object("output")
    guard object.has("columns") else { return false }
    guard try object.string("kind") == "classifier" else {
      throw object.error(
        "'columns' is for classifiers", at: try object.required("columns").position)
    }
    let columns = try object.integer("columns", in: 1...2)
    if columns == last.outputCount { return false }
    guard columns == 2, last.outputCount == 1, last.activation == .sigmoid else {
      throw object.error(
        "'columns' is \(columns), the last layer has \(last.outputCount) outputs with the "
          + "activation '\(last.activation.rawValue)'; 2 columns are made of one sigmoid",
        at: try object.required("columns").position)
    }
    return true
  }

  private static func labels(_ output: JSONObject, width: Int) throws(JSONError) -> ClassLabels {
    let labels = try ClassLabels(reading: output)
    guard labels.count == width || (labels.count == 2 && width == 1) else {
      throw output.error(
        "there \(Figures.are(labels.count, "label")), the last layer has \(width) outputs",
        at: output.position)
    }
    return labels
  }
}

extension Dense.Layer {
  /// Number of outputs.
  var outputCount: Int { weight.shape[isInputMajor ? 1 : 0] }
}
