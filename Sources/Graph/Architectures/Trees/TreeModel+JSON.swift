import IngotFeatures
package import StrictJSON
package import Trees

extension TreeFeature {
  /// As `model.json` has it under `inputs`.
  package var json: JSONValue { feature.json(missing: .taken) }
}

extension TreeTask {
  /// As `model.json` has it under `output`.
  ///
  /// - Parameter width: classes, where no labels say it.
  package func json(name: String, width: Int, givesProbabilities: Bool) -> JSONValue {
    guard case .classification(let labels) = self else {
      return ["kind": "regressor", "name": .string(name)]
    }
    let values: [JSONValue] =
      switch labels {
      case nil: (0..<width).map(JSONValue.integer)
      case .texts(let texts): texts.map(JSONValue.string)
      case .integers(let integers): integers.map(JSONValue.integer)
      }
    return [
      "kind": "classifier", "name": .string(name), "labels": .array(values),
      "gives": .string(givesProbabilities ? "probabilities" : "scores"),
    ]
  }
}
