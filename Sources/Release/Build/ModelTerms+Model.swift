import Emission
import Graph
import Packaging
import Preprocessing
import WeightCompression

extension ModelTerms {
  /// The terms of a model as trained and of what a job makes of it.
  init(_ model: Model, of key: BuildPlan.Key) throws {
    let encoder = model.architecture.encoder
    let elements = try model.usedWeights().reduce(0) { $0 + $1.elementCount }
    self.init(
      inputs: try ModelTerms.inputs(of: model.architecture, key.form),
      outputs: ModelTerms.outputs(of: model.architecture, key.form),
      prompt: model.architecture.preparation.prompt.isEmpty
        ? nil : model.architecture.preparation.prompt,
      method: key.compression.options(of: encoder).label,
      options: try key.modelOptions(of: model),
      originalBytes: elements * MemoryLayout<Float>.size)
  }

  private static func inputs(
    of architecture: any Architecture, _ form: OutputForm
  ) throws -> [TensorDescription] {
    switch architecture.input {
    case .tokens(let maximumLength, _):
      try architecture.smallestGraph().inputs.map {
        TensorDescription(
          name: $0.name, dtype: "int32",
          shape: [form.batch, form.length(maximum: maximumLength)])
      }
    case .features(let names):
      [
        TensorDescription(
          name: "features", dtype: "float32", shape: [form.batch, names.count], features: names)
      ]
    case .image(let width, let height):
      [
        TensorDescription(
          name: "image", dtype: form.imageType, shape: [form.batch, 3, height, width])
      ]
    }
  }

  private static func outputs(
    of architecture: any Architecture, _ form: OutputForm
  ) -> [TensorDescription] {
    let names = form.outputNames(of: architecture)
    switch architecture.output {
    case .embedding(let width):
      return [
        TensorDescription(name: names[0], dtype: form.embeddingType, shape: [form.batch, width])
      ]
    case .numbers(let width):
      return [TensorDescription(name: names[0], dtype: "float32", shape: [form.batch, width])]
    case .classes(let labels, let width, _):
      guard names.count == 2 else {
        return [
          TensorDescription(
            name: names[0], dtype: "float32", shape: [form.batch, width], labels: labels)
        ]
      }
      // The label itself, and a probability or score for each.
      return [
        TensorDescription(name: names[0], dtype: labels.dtype, shape: [form.batch]),
        TensorDescription(
          name: names[1], dtype: "float32", shape: [form.batch, labels.count], labels: labels),
      ]
    }
  }
}

extension OutputForm {
  /// What the form calls an output; two names for a label and a number for each.
  fileprivate func outputNames(of architecture: any Architecture) -> [String] {
    guard case .safetensors = self else { return CoreMLPackage.outputNames(of: architecture) }
    switch architecture.output {
    case .embedding: return ["embedding"]
    case .numbers: return ["numbers"]
    case .classes(_, _, .probabilities): return ["probabilities"]
    case .classes(_, _, .scores): return ["scores"]
    }
  }

  /// Inputs that are taken at once; -1 for any number.
  fileprivate var batch: Int {
    switch self {
    case .safetensors: -1
    case .mlpackage: 1
    }
  }

  /// Tokens of an input; -1 for more than one length.
  fileprivate func length(maximum: Int) -> Int {
    switch self {
    case .safetensors: -1
    case .mlpackage(let options, _):
      options.sequenceLengths.count > 1 ? -1 : options.sequenceLengths.first ?? maximum
    }
  }

  /// Planes of numbers, or a pixel buffer.
  fileprivate var imageType: String {
    switch self {
    case .safetensors: "float32"
    case .mlpackage: "image"
    }
  }

  fileprivate var embeddingType: String {
    switch self {
    case .safetensors: "float32"
    case .mlpackage(let options, _): options.outputType.rawValue
    }
  }
}
