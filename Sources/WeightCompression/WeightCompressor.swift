package import Graph
package import Weights

/// Compresses the weights of a graph.
package enum WeightCompressor {
  /// Compresses every weight as the options say, one after another; see `CompressionStream`.
  ///
  /// The result does not depend on `jobs`. `progress` is called with each tensor's name when it is
  /// done, in any order and from any thread.
  ///
  /// - Throws: as `plan`, and then with every other tensor that would be refused.
  package static func stream(
    weights: [WeightReference], from source: any WeightSource, options: CompressionOptions,
    jobs: Int, progress: @escaping @Sendable (TensorName) -> Void = { _ in }
  ) throws -> CompressionStream {
    let planned: [PlannedTensor]
    do {
      planned = try plan(weights: weights, from: source, options: options)
    } catch CompressionError.refused(let unfit) {
      throw CompressionError.refused(
        try unfit + refusals(of: weights, besides: unfit, from: source, options))
    }
    return CompressionStream(
      planned, unused: unused(weights, in: source),
      work: CompressionWork(source: source, jobs: max(1, jobs)), jobs: jobs, progress: progress)
  }

  /// The same with all results in memory.
  ///
  /// - Throws: as `plan` and `CompressionStream.forEach`.
  package static func compress(
    weights: [WeightReference], from source: any WeightSource, options: CompressionOptions,
    jobs: Int, progress: @escaping @Sendable (TensorName) -> Void = { _ in }
  ) throws -> CompressedWeights {
    let stream = try stream(
      weights: weights, from: source, options: options, jobs: jobs, progress: progress)
    var tensors: [CompressedTensor] = []
    try stream.forEach { tensors.append($0) }
    return CompressedWeights(
      tensors: tensors, unused: stream.unused, shared: stream.planned.map(\.sharedWith))
  }

  /// Compresses weights as planned, with all results in memory.
  ///
  /// - Parameter effort: little for results that are compared with others, and not kept.
  /// - Throws: as `CompressionStream.forEach`.
  package static func compress(
    _ planned: [PlannedTensor], from source: any WeightSource,
    effort: ClusteringEffort = .least, jobs: Int,
    progress: @escaping @Sendable (TensorName) -> Void = { _ in }
  ) throws -> [CompressedTensor] {
    let stream = CompressionStream(
      planned, unused: [],
      work: CompressionWork(source: source, jobs: max(1, jobs), effort: effort), jobs: jobs,
      progress: progress)
    var tensors: [CompressedTensor] = []
    try stream.forEach { tensors.append($0) }
    return tensors
  }

  /// Checks that there is memory to compress each of some weights, one after another.
  ///
  /// - Throws: `FileError.noMemory`.
  package static func requireMemory(
    for planned: [PlannedTensor], from source: any WeightSource, jobs: Int
  ) throws {
    let work = CompressionWork(source: source, jobs: max(1, jobs))
    try work.requireMemory(for: planned.filter { work.shapeFault($0.reference) == nil })
  }

  /// Why weights could not be compressed as planned, without compressing them.
  ///
  /// - Throws: errors of the source.
  package static func refusals(
    of planned: [PlannedTensor], from source: any WeightSource
  ) throws -> [TensorRefusal] {
    let work = CompressionWork(source: source, jobs: 1)
    return try planned.compactMap { tensor in
      if case .refused(let refusal) = try work.run(tensor, checkOnly: true) { refusal } else { nil }
    }
  }

  /// Faults of weights other than those whose schemes do not fit.
  private static func refusals(
    of weights: [WeightReference], besides unfit: [TensorRefusal], from source: any WeightSource,
    _ options: CompressionOptions
  ) throws -> [TensorRefusal] {
    let known = Set(unfit.map(\.name))
    let others = weights.filter { !known.contains($0.name) }
    return try refusals(
      of: others.map {
        PlannedTensor($0, requested: nil, floats: options.floats(of: $0))
      }, from: source)
  }

  /// Names in the source that no weight of the graph has.
  private static func unused(
    _ weights: [WeightReference], in source: any WeightSource
  ) -> [TensorName] {
    let used = Set(weights.map(\.name))
    return source.names.filter { !used.contains($0) }
  }
}

/// Compresses the weights of a graph one after another; nothing is kept.
package struct CompressionStream: CompressedTensors {
  package let planned: [PlannedTensor]
  package let unused: [TensorName]
  package var calibration: CalibrationRecord? { nil }
  private let work: CompressionWork
  private let jobs: Int
  private let progress: @Sendable (TensorName) -> Void

  init(
    _ planned: [PlannedTensor], unused: [TensorName], work: CompressionWork, jobs: Int,
    progress: @escaping @Sendable (TensorName) -> Void
  ) {
    self.planned = planned
    self.unused = unused
    self.work = work
    self.jobs = jobs
    self.progress = progress
  }

  /// Calls `body` with each tensor in order, while the next ones are compressed.
  ///
  /// Memory use depends on the largest tensor, not on the number of tensors. The results do not
  /// depend on the number of threads.
  ///
  /// - Throws: `CompressionError.refused` listing every tensor that is missing, has another shape
  ///   than the graph needs, holds values that are not finite or too large for the stored float
  ///   type, or does not take its scheme; `FileError.noMemory`, before work begins, if the machine
  ///   lacks the memory for the largest; errors of the source and of `body`.
  package func forEach(_ body: (CompressedTensor) throws -> Void) throws {
    try work.requireMemory(for: planned.filter { work.shapeFault($0.reference) == nil })
    let line = AssemblyLine(
      sizes: planned.map { 4 * $0.reference.elementCount }, workers: max(1, jobs)
    ) { [planned, work, progress] index, isRefused in
      defer { progress(planned[index].name) }
      return Result { try work.run(planned[index], checkOnly: isRefused) }
    }
    var refusals: [TensorRefusal] = []
    try line.run { result in
      switch try result.get() {
      case .compressed(let tensor): if refusals.isEmpty { try body(tensor) }
      case .refused(let refusal):
        refusals.append(refusal)
        line.refuse()
      case .checked: break
      }
    }
    guard refusals.isEmpty else { throw CompressionError.refused(refusals) }
  }
}

/// The compressed weights of a graph, handed out one after another so that no more than one needs to
/// be there.
package protocol CompressedTensors: Sendable {
  /// The tensors, in the order in which the graph uses them.
  var planned: [PlannedTensor] { get }
  /// Names of tensors in the source that the graph does not use, in the source's order.
  var unused: [TensorName] { get }
  /// The inputs they were fitted to; nil without calibration.
  var calibration: CalibrationRecord? { get }
  /// How a recipe asks for the thresholds of trees to be stored; nil without a rule for them.
  var thresholds: ThresholdScheme? { get }
  /// Calls `body` with each tensor in the order of `planned`.
  ///
  /// - Throws: errors of `body`, and `CompressionError` for faults of the weights.
  func forEach(_ body: (CompressedTensor) throws -> Void) throws
}

extension CompressedTensors {
  package var thresholds: ThresholdScheme? { ThresholdScheme(of: planned) }
}

/// The facts of a compressed tensor that stay in memory once its numbers are written.
package struct TensorRecord: Hashable, Sendable {
  package let name: TensorName
  package let shape: [Int]
  package let role: WeightRole
  /// A phrase for listings: the scheme's, "kept" of an uncompressed weight, or "refitted".
  package let schemeLabel: String
  /// Bits per stored element, or per vector of them, without scales and palettes.
  package let bits: Int
  /// ‖w − ŵ‖ / ‖w‖.
  package let relativeError: Double
  /// Of the values a model computes with.
  package let checksum: ValueChecksum

  /// - Parameters:
  ///   - planned: the plan for the tensor.
  ///   - rows: the number of rows to write, from the first; nil for all.
  package init(_ tensor: CompressedTensor, _ planned: PlannedTensor, rows: Int? = nil) {
    name = tensor.name
    shape = tensor.shape
    role = tensor.role
    schemeLabel = planned.sharedWith == nil ? tensor.schemeLabel : planned.schemeLabel
    bits = tensor.bits
    relativeError = tensor.relativeError
    checksum =
      rows.map { tensor.checksum(first: tensor.shape.dropFirst().reduce($0, *)) }
      ?? tensor.checksum
  }
}
