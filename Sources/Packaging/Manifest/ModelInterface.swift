package import Formats
package import Graph
import IngotFeatures
import Weights

/// The inputs and outputs of a model for an app; part of a manifest's entry.
///
/// The builder fills the entry with it, `verify` derives it from the packed model, and a replay
/// from the model as trained.
package struct ModelInterface: Equatable, Sendable {
  package let inputs: [TensorDescription]
  package let outputs: [TensorDescription]
  /// Text that goes before every text; nil without one.
  package let prompt: String?

  /// An interface that was found elsewhere.
  package init(
    inputs: [TensorDescription], outputs: [TensorDescription], prompt: String? = nil
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.prompt = prompt
  }

  /// The inputs and outputs of a model in a format.
  package init(of architecture: any Architecture, in carrier: ModelCarrier) throws(GraphError) {
    inputs = try architecture.smallestGraph().inputs.map {
      carrier.input($0, architecture.input)
    }
    outputs = carrier.outputs(architecture.output)
    prompt = architecture.promptText
  }
}

extension ModelCarrier {
  /// Inputs that are taken at once; -1 for any number.
  private var shapeBatch: Int { batch ?? -1 }

  fileprivate func input(_ taken: ModelGraph.Input, _ input: ModelInput) -> TensorDescription {
    let name = taken.name
    switch input {
    case .tokens:
      return TensorDescription(name: name, dtype: "int32", shape: [shapeBatch, length ?? -1])
    case .features(let schema):
      return TensorDescription(
        name: name,
        dtype: featureType ?? (taken.type.scalar == .float64 ? "float64" : "float32"),
        shape: [shapeBatch, schema.columnCount], features: schema.names,
        schema: schema.isPlain ? nil : schema)
    case .image(let width, let height):
      return TensorDescription(name: name, dtype: imageType, shape: [shapeBatch, 3, height, width])
    }
  }

  fileprivate func outputs(_ output: ModelOutput) -> [TensorDescription] {
    let names = names(of: output)
    switch output {
    case .embedding(let width):
      return [TensorDescription(name: names[0], dtype: embeddingType, shape: [shapeBatch, width])]
    case .numbers(let width):
      return [TensorDescription(name: names[0], dtype: "float32", shape: [shapeBatch, width])]
    case .tokenClasses(let labels, _):
      let tokens = length ?? -1
      return [
        TensorDescription(
          name: names[0], dtype: "float32", shape: [shapeBatch, tokens, labels.count],
          labels: labels)
      ]
    case .classes(let labels, let width, _):
      guard names.count > 1 else {
        return [
          TensorDescription(
            name: names[0], dtype: "float32", shape: [shapeBatch, width], labels: labels)
        ]
      }
      // The label itself, and a probability or score for each.
      return [
        TensorDescription(name: names[0], dtype: labels.dtype, shape: [shapeBatch]),
        TensorDescription(
          name: names[1], dtype: "float32", shape: [shapeBatch, labels.count], labels: labels),
      ]
    }
  }

  /// The format's names of outputs; never empty.
  private func names(of output: ModelOutput) -> [String] {
    if !outputNames.isEmpty { return outputNames }
    switch output {
    case .embedding: return ["embedding"]
    case .numbers: return ["numbers"]
    case .classes(_, _, .probabilities), .tokenClasses: return ["probabilities"]
    case .classes(_, _, .scores): return ["scores"]
    }
  }
}

extension Model {
  /// Bytes of the weights that the model uses, as 32-bit floats; nil if no machine could hold them.
  package func plainByteCount() throws(GraphError) -> Int? {
    var sum: Int? = 0
    for weight in try usedWeights() {
      let bytes = CheckedSize.elementCount(of: weight.shape + [MemoryLayout<Float>.size])
      guard let total = sum, let bytes else { return nil }
      let (next, overflow) = total.addingReportingOverflow(bytes)
      sum = overflow ? nil : next
    }
    return sum
  }
}
