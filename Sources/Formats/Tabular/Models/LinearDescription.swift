import Graph
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
  ///   - hasTwoColumns: whether both of two classes have a number.
  init(
    _ table: TabularTable, output name: String, hasTwoColumns: Bool, at place: TabularPlace
  ) throws(TabularError) {
    let features = table.row.features
    let rows: [[Double]]
    let offsets: [Double]
    let activation: Dense.Activation
    var output: [String: JSONValue] = ["name": .string(name)]
    switch table.predictor {
    case .linearRegressor(let linear):
      guard linear.link != .probit else { throw Self.probit(place) }
      (rows, offsets) = ([linear.weights], [linear.offset])
      activation = linear.link == .logit ? .sigmoid : .identity
      output["kind"] = "regressor"
    case .linearClassifier(let linear):
      guard linear.link != .probit else { throw Self.probit(place) }
      output["kind"] = "classifier"
      output["labels"] = linear.labels.json
      if linear.labels.count == 2 {
        (rows, offsets, activation) = (linear.weights, linear.offsets, .sigmoid)
        if hasTwoColumns { output["columns"] = 2 }
      } else if linear.encoding == .oneVersusRest {
        (rows, offsets, activation) = (linear.weights, linear.offsets, .oneVersusRest)
      } else {
        // The first class has the sum 0.
        rows = [[Double](repeating: 0, count: features.count)] + linear.weights
        offsets = [0] + linear.offsets
        activation = .softmax
      }
    default: throw place.fault("ends in no linear model")
    }
    var arrays = [
      MemoryArray(TensorName(Self.weight), [rows.count, features.count], rows.flatMap(\.self)),
      MemoryArray(TensorName(Self.bias), [rows.count], offsets),
    ]
    var object: [String: JSONValue] = [
      "architecture": .string(Dense.name),
      "inputs": .array(features.map { ["name": .string($0)] }),
      "layers": .array([
        [
          "weight": .string(Self.weight), "bias": .string(Self.bias),
          "activation": .string(activation.rawValue),
        ]
      ]),
      "output": .object(output),
    ]
    if let (shift, scale) = table.row.scaler {
      guard scale.allSatisfy({ $0 != 0 }) else {
        throw place.fault("has a scaler that multiplies by 0; leave that feature out")
      }
      object["standardize"] = ["mean": .string(Self.mean), "scale": .string(Self.scale)]
      arrays.append(MemoryArray(TensorName(Self.mean), [features.count], shift.map { -$0 }))
      arrays.append(MemoryArray(TensorName(Self.scale), [features.count], scale.map { 1 / $0 }))
    }
    self.arrays = arrays
    description = .object(object)
  }

  private static func probit(_ place: TabularPlace) -> TabularError {
    place.fault("has the link probit, which no model that Ingot runs has; train it with logit")
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
