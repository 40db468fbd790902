import Graph
import IngotFeatures
import StrictJSON
import Trees
import Weights

/// A linear model of Core ML's as a dense model: its arrays and its `model.json`.
struct LinearDescription {
  private static let weight = "linear.weight"
  private static let bias = "linear.bias"
  private static let mean = "standardize.mean"
  private static let scale = "standardize.scale"

  let arrays: [MemoryArray]
  let description: JSONValue

  /// - Parameters:
  ///   - table: ends in a linear model.
  ///   - schema: the text of the features, as the program says it of itself; nil without one.
  ///   - hasTwoColumns: whether both of two classes have a number.
  init(
    _ table: TabularTable, output name: String, schema: String?, hasTwoColumns: Bool,
    at place: TabularPlace
  ) throws(TabularError) {
    let columns = try LinearColumns(table.row.cells, at: place)
    let features = try schema.map { text throws(TabularError) in
      try columns.features(stated: text, at: place)
    }
    let sums = try LinearSums(table.predictor, width: table.row.cells.count, at: place)
    var output: [String: JSONValue] = ["name": .string(name), "kind": "regressor"]
    if let labels = sums.labels {
      output["kind"] = "classifier"
      output["labels"] = labels.json
      if hasTwoColumns, labels.count == 2 { output["columns"] = 2 }
    }
    var arrays = [
      MemoryArray(
        TensorName(Self.weight), [sums.rows.count, columns.count],
        sums.rows.flatMap { columns.row(of: $0) }),
      MemoryArray(TensorName(Self.bias), [sums.rows.count], sums.offsets),
    ]
    var object: [String: JSONValue] = [
      "architecture": .string(Dense.name),
      "inputs": .array((features ?? columns.features).map { $0.json() }),
      "layers": .array([
        [
          "weight": .string(Self.weight), "bias": .string(Self.bias),
          "activation": .string(sums.activation.rawValue),
        ]
      ]),
      "output": .object(output),
    ]
    if let (shift, scale) = columns.scaler {
      object["standardize"] = ["mean": .string(Self.mean), "scale": .string(Self.scale)]
      arrays.append(MemoryArray(TensorName(Self.mean), [columns.count], shift.map { 0 - $0 }))
      arrays.append(MemoryArray(TensorName(Self.scale), [columns.count], scale.map { 1 / $0 }))
    }
    self.arrays = arrays
    description = .object(object)
  }
}

extension TreeLabels {
  fileprivate var json: JSONValue {
    switch self {
    case .texts(let texts): .array(texts.map(JSONValue.string))
    case .integers(let numbers): .array(numbers.map(JSONValue.integer))
    }
  }
}
