import Graph
import Packaging

extension ModelTerms {
  /// The terms of a model, its inputs and outputs from its architecture.
  init(_ model: Model, method: String, originalBytes: Int) {
    self.init(
      inputs: ModelTerms.inputs(of: model.architecture.input),
      outputs: [ModelTerms.output(of: model.architecture.output)], method: method,
      originalBytes: originalBytes)
  }

  private static func inputs(of input: ModelInput) -> [TensorDescription] {
    switch input {
    case .tokens:
      ["input_ids", "attention_mask"].map {
        TensorDescription(name: $0, dtype: "int32", shape: [-1, -1])
      }
    case .features(let names):
      [
        TensorDescription(
          name: "features", dtype: "float32", shape: [-1, names.count], features: names)
      ]
    }
  }

  private static func output(of output: ModelOutput) -> TensorDescription {
    switch output {
    case .embedding(let width):
      TensorDescription(name: "embedding", dtype: "float32", shape: [-1, width])
    case .numbers(let width):
      TensorDescription(name: "numbers", dtype: "float32", shape: [-1, width])
    case .classes(let labels, let width):
      TensorDescription(
        name: "probabilities", dtype: "float32", shape: [-1, width], labels: labels)
    }
  }
}
