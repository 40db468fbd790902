import Graph
import WeightCompression
import Weights

/// A pass through a model, layer by layer, in the original and the compressed model together.
///
/// Only values that a later layer still needs are kept, so that each part of a model runs once in
/// either. Source: the sequential pass of GPTQ-like methods (Frantar et al. 2022, arXiv:2210.17323)
/// with targets of the original model.
struct CalibrationPass {
  let model: Model
  let layers: [CalibratedLayer]
  let sample: CalibrationSample
  private let plan: PlannedWeights
  let settings: CalibrationSettings
  let jobs: Int
  private let progress: @Sendable (CalibrationStep) -> Void

  /// What errors of a table's rows and of a layer's outputs cost.
  private let gradients: GradientMoments
  private let memory: CalibrationMemory
  var weights: PartialWeights
  private var unused: [TensorName] = []
  var original: ValueStream
  var compressed: ValueStream
  /// Of the last layer that was fitted by its inputs.
  var shared: SharedMoments?

  init(
    model: Model, layers: [CalibratedLayer], sample: CalibrationSample,
    plan: PlannedWeights, gradients: GradientMoments, memory: CalibrationMemory,
    settings: CalibrationSettings, jobs: Int,
    progress: @escaping @Sendable (CalibrationStep) -> Void
  ) throws {
    self.model = model
    self.layers = layers
    self.sample = sample
    self.plan = plan
    self.gradients = gradients
    self.memory = memory
    self.settings = settings
    self.jobs = max(1, jobs)
    self.progress = progress
    weights = PartialWeights(model.weights)
    original = ValueStream(sample, jobs: jobs)
    compressed = ValueStream(sample, jobs: jobs)
  }

  /// - Returns: tensors in the graph's order, and names the graph does not use.
  mutating func run() throws -> (tensors: [CompressedTensor], unused: [TensorName]) {
    try compressOthers()
    for index in layers.indices { try compressLayer(index) }
    return (plan.tensors.compactMap { weights[$0.name] }, unused)
  }

  /// Compresses the weights outside the layers, and checks the layers' weights, so that every
  /// refused tensor is named before the long work starts.
  private mutating func compressOthers() throws {
    let tables = plan.tensors.filter(isFittedTable)
    let looked = layers.compactMap { plan[$0.weight] } + tables
    let later = Set(looked.map(\.name))
    let others = plan.tensors.filter { !later.contains($0.name) }
    let plain = others.count + tables.count
    var refused = try WeightCompressor.refusals(of: looked, from: model.weights)
    do {
      let tensors = try WeightCompressor.compress(
        others, from: model.weights, jobs: jobs
      ) { [progress] in progress(.compressed($0, of: plain)) }
      for tensor in tensors { weights.take(tensor) }
    } catch CompressionError.refused(let more) {
      refused += more
    }
    guard refused.isEmpty else { throw CompressionError.refused(inOrder(refused)) }
    try WeightCompressor.requireMemory(for: looked, from: model.weights, jobs: jobs)
    for table in tables { try compressTable(table, of: plain) }
    let used = Set(plan.tensors.map(\.name))
    unused = model.weights.names.filter { !used.contains($0) }
  }

  private func inOrder(_ refusals: [TensorRefusal]) -> [TensorRefusal] {
    plan.tensors.compactMap { tensor in refusals.first { $0.name == tensor.name } }
  }

  /// Whether a weight is a table that loses something, and errors of its rows have a known cost.
  private func isFittedTable(_ tensor: PlannedTensor) -> Bool {
    guard tensor.role == .tokenTable, let scheme = tensor.requested?.own else { return false }
    return !scheme.isLossless && gradients[rowsOf: tensor.name] != nil
  }

  private mutating func compressTable(_ tensor: PlannedTensor, of count: Int) throws {
    guard let scheme = tensor.requested, let moments = gradients[rowsOf: tensor.name] else {
      return
    }
    let (reference, floats) = (tensor.reference, tensor.floats)
    let values = try model.weights.floats(of: tensor.name)
    let content = try CalibrationError.placing(tensor.name) { () throws(GPTQError) in
      try TableCompensation.compress(
        values, reference: reference, moments: moments, scheme: scheme, floats: floats,
        options: settings.compensation, memory: memory, jobs: jobs)
    }
    weights.take(try CompressedTensor(reference, content, floats: floats, madeFrom: values))
    progress(.compressed(tensor.name, of: count))
  }

  private mutating func compressLayer(_ index: Int) throws {
    let layer = layers[index]
    let reference = layer.weight
    guard let planned = plan[reference], let scheme = planned.requested else { return }
    let floats = planned.floats
    if let first = planned.sharedWith.flatMap({ weights[$0] }) {
      return weights.take(
        try CompressedTensor(
          reference, first.content, floats: floats, relativeError: first.relativeError))
    }
    let moments = try moments(ofLayer: index)
    let trained = try model.weights.floats(of: reference.name)
    let result = try CalibrationError.placing(reference.name) { () throws(GPTQError) in
      let coupling: OutputCoupling? = try gradients[outputsOf: reference.name].flatMap {
        moments throws(GPTQError) in
        try OutputCoupling(moments, jobs: jobs)
      }
      let result = try GPTQCompensation.compress(
        trained, reference: reference, moments: moments, coupling: coupling, scheme: scheme,
        floats: floats, options: settings.compensation(of: layer), jobs: jobs)
      memory.record(
        (coupling?.share ?? 1) * result.loss / result.roundingLoss, leftOf: reference.name)
      return result
    }
    weights.take(
      try CompressedTensor(reference, result.content, floats: floats, madeFrom: trained))
    if let bias = layer.bias { try take(result.bias, as: bias) }
    progress(.fitted(reference.name, index + 1, of: layers.count))
  }

  // A bias that the stored floats cannot hold stays as it was.
  private mutating func take(_ bias: [Float], as reference: WeightReference) throws {
    guard let floats = plan[reference]?.floats else { return }
    let rounded = floats.rounded(bias)
    guard rounded.count == reference.elementCount, rounded.allSatisfy(\.isFinite) else { return }
    let before = try model.weights.floats(of: reference.name)
    let tensor = try CompressedTensor(
      reference, .uncompressed(rounded), floats: floats, madeFrom: before)
    weights.take(rounded == floats.rounded(before) ? tensor : tensor.refitted())
  }
}
