package import Formats
package import Graph
import Weights

/// What an app gives to a model and gets of it; part of a manifest's entry.
///
/// The builder fills the entry with it, `verify` derives it from what is packed, and a replay from the
/// model as trained.
package struct ModelInterface: Equatable, Sendable {
  /// What a format decides about inputs and outputs.
  package enum Carrier: Equatable, Sendable {
    /// Any number of inputs at once, of any length.
    case safetensors
    /// One input at a time.
    ///
    /// - Parameters:
    ///   - outputNames: what the package calls its outputs; of a classifier the label and its numbers.
    ///   - lengths: tokens that a text may have.
    ///   - embedding: the type of an embedding.
    case mlpackage(outputNames: [String], lengths: [Int], embedding: CoreMLOptions.OutputType)
  }

  package let inputs: [TensorDescription]
  package let outputs: [TensorDescription]
  /// What goes before every text; nil where nothing does.
  package let prompt: String?

  /// What was found elsewhere.
  package init(
    inputs: [TensorDescription], outputs: [TensorDescription], prompt: String? = nil
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.prompt = prompt
  }

  /// What a model takes and gives in a format.
  package init(of architecture: any Architecture, in carrier: Carrier) throws(GraphError) {
    let names = try architecture.smallestGraph().inputs.map(\.name)
    inputs = names.map { carrier.input($0, architecture.input) }
    outputs = carrier.outputs(architecture.output)
    prompt = architecture.promptText
  }
}

extension ModelInterface.Carrier {
  /// How an opened model is carried.
  init(of model: Model) {
    guard let statement = CoreMLPackage.statement(of: model) else {
      self = .safetensors
      return
    }
    self = .mlpackage(
      outputNames: statement.outputNames, lengths: statement.lengths,
      embedding: statement.outputType ?? .float32)
  }

  /// Inputs that are taken at once; -1 for any number.
  private var batch: Int {
    switch self {
    case .safetensors: -1
    case .mlpackage: 1
    }
  }

  /// Tokens of an input; -1 for more than one length.
  private var length: Int {
    guard case .mlpackage(_, let lengths, _) = self, lengths.count == 1 else { return -1 }
    return lengths[0]
  }

  /// Planes of numbers, or a pixel buffer.
  private var imageType: String {
    switch self {
    case .safetensors: "float32"
    case .mlpackage: "image"
    }
  }

  private var embeddingType: String {
    switch self {
    case .safetensors: "float32"
    case .mlpackage(_, _, let type): type.rawValue
    }
  }

  fileprivate func input(_ name: String, _ input: ModelInput) -> TensorDescription {
    switch input {
    case .tokens:
      TensorDescription(name: name, dtype: "int32", shape: [batch, length])
    case .features(let names):
      TensorDescription(
        name: name, dtype: "float32", shape: [batch, names.count], features: names)
    case .image(let width, let height):
      TensorDescription(name: name, dtype: imageType, shape: [batch, 3, height, width])
    }
  }

  fileprivate func outputs(_ output: ModelOutput) -> [TensorDescription] {
    let names = names(of: output)
    switch output {
    case .embedding(let width):
      return [TensorDescription(name: names[0], dtype: embeddingType, shape: [batch, width])]
    case .numbers(let width):
      return [TensorDescription(name: names[0], dtype: "float32", shape: [batch, width])]
    case .classes(let labels, let width, _):
      guard names.count > 1 else {
        return [
          TensorDescription(
            name: names[0], dtype: "float32", shape: [batch, width], labels: labels)
        ]
      }
      // The label itself, and a probability or score for each.
      return [
        TensorDescription(name: names[0], dtype: labels.dtype, shape: [batch]),
        TensorDescription(
          name: names[1], dtype: "float32", shape: [batch, labels.count], labels: labels),
      ]
    }
  }

  /// What the format calls outputs; never empty.
  private func names(of output: ModelOutput) -> [String] {
    if case .mlpackage(let names, _, _) = self, !names.isEmpty { return names }
    switch output {
    case .embedding: return ["embedding"]
    case .numbers: return ["numbers"]
    case .classes(_, _, .probabilities): return ["probabilities"]
    case .classes(_, _, .scores): return ["scores"]
    }
  }
}

extension Model {
  /// Bytes of the weights that the model uses, as 32-bit floats; nil where no machine could hold them.
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
