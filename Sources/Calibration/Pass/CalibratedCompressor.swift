import Execution
package import Graph
package import WeightCompression
package import Weights

/// Compresses a model layer by layer. Each layer is fitted to the outputs of those already
/// compressed before it, so that it makes up for their losses.
package enum CalibratedCompressor {
  /// Compresses every weight that has a scheme: those of `linear` operations fitted to the inputs,
  /// all others as `WeightCompressor` does.
  ///
  /// The result does not depend on `jobs`.
  ///
  /// - Parameters:
  ///   - memory: kept from earlier calls with the same model, set and settings.
  ///   - progress: told each tensor when it is done.
  /// - Returns: tensors in the graph's order, as `WeightCompressor.compress` gives them.
  /// - Throws: errors of `WeightCompressor`; `EvaluationError` naming file and line of an input the
  ///   model cannot take; `CalibrationError`; `FileError.noMemory`, before work begins, if the
  ///   machine lacks the memory to fit the largest layer.
  package static func compress(
    model: Model, options: CompressionOptions, calibration: CalibrationSet, jobs: Int,
    settings: CalibrationSettings = CalibrationSettings(),
    memory: CalibrationMemory = CalibrationMemory(),
    progress: @escaping @Sendable (CalibrationStep) -> Void = { _ in }
  ) throws -> CompressedWeights {
    guard model.architecture.shapes == .any else {
      throw CalibrationError.fixedShapes(origin: model.origin)
    }
    let graph = try model.architecture.smallestGraph()
    let plan = PlannedWeights(
      try WeightCompressor.plan(weights: graph.weights, from: model.weights, options: options))
    let layers = CalibratedLayer.all(in: graph) { plan[$0]?.requested }
    try LayerMemory.require(for: layers, of: model.origin)
    let sample = try CalibrationSample(
      calibration, for: model, settings: settings, shapes: InputShapes(layers, in: graph))
    let losing = plan.tensors.filter { $0.requested.map { !$0.own.isLossless } ?? false }
    let gradients =
      try losing.isEmpty
      ? GradientMoments()
      : memory.gradients {
        try CalibratedCompressor.gradients(
          of: model, calibration, settings, jobs: jobs, progress: progress)
      }
    var pass = try CalibrationPass(
      model: model, layers: layers, sample: sample, plan: plan, gradients: gradients,
      memory: memory, settings: settings, jobs: jobs, progress: progress)
    let (tensors, unused) = try pass.run()
    return CompressedWeights(
      tensors: tensors, unused: unused, shared: plan.tensors.map(\.sharedWith),
      calibration: CalibrationRecord(digest: calibration.digest, inputs: sample.used))
  }

  /// What errors of tables and layers cost; nothing of a model with an operation whose gradients are
  /// not known.
  private static func gradients(
    of model: Model, _ calibration: CalibrationSet, _ settings: CalibrationSettings, jobs: Int,
    progress: (CalibrationStep) -> Void
  ) throws -> GradientMoments {
    let losses = try OutputLosses(
      of: model, on: calibration, settings: settings.losses, jobs: jobs)
    do {
      return try losses.gradientMoments { progress(.tookGradients($0, of: $1)) }
    } catch ExecutionError.unknownOperation, ExecutionError.irreversible,
      ExecutionError.noGradient
    {
      return GradientMoments()
    }
  }

  /// Names of the weights without a scheme that calibration refits to offset the loss of others.
  ///
  /// - Parameter tensors: as `WeightCompressor` plans them.
  package static func refitted(
    of model: Model, planned tensors: [PlannedTensor]
  ) throws -> Set<TensorName> {
    let plan = PlannedWeights(tensors)
    let layers = CalibratedLayer.all(in: try model.architecture.smallestGraph()) {
      plan[$0]?.requested
    }
    return Set(layers.compactMap { $0.bias?.name })
  }
}

/// A part of the work that is done.
package enum CalibrationStep: Sendable {
  /// Gradients of some of all inputs.
  case tookGradients(Int, of: Int)
  /// One of so many that are not fitted to inputs.
  case compressed(TensorName, of: Int)
  /// One of the layers that are fitted, counted from 1.
  case fitted(TensorName, Int, of: Int)
}

/// The planned compression of each weight of a graph.
struct PlannedWeights: Sendable {
  /// In the graph's order.
  let tensors: [PlannedTensor]
  private let places: [TensorName: Int]

  init(_ tensors: [PlannedTensor]) {
    self.tensors = tensors
    places = Dictionary(
      tensors.enumerated().map { ($1.name, $0) }
    ) { first, _ in first }
  }

  subscript(reference: WeightReference) -> PlannedTensor? {
    places[reference.name].map { tensors[$0] }
  }
}
