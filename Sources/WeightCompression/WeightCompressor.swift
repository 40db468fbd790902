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
  /// - Throws: as `CompressionStream.forEach`.
  package static func compress(
    _ planned: [PlannedTensor], from source: any WeightSource, jobs: Int,
    progress: @escaping @Sendable (TensorName) -> Void = { _ in }
  ) throws -> [CompressedTensor] {
    let stream = CompressionStream(
      planned, unused: [], work: CompressionWork(source: source, jobs: max(1, jobs)), jobs: jobs,
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
        PlannedTensor($0, requested: nil, floats: options.floats(of: $0.role))
      }, from: source)
  }

  /// Plans the compression of each weight from its shape; values are read only of weights whose
  /// distinct values are asked for.
  ///
  /// - Throws: `CompressionError.refused` listing every tensor that does not take its scheme, or
  ///   `.unfitRecipe` listing everything that keeps a recipe from fitting the model; errors of the
  ///   source.
  package static func plan(
    weights: [WeightReference], from source: any WeightSource, options: CompressionOptions
  ) throws -> [PlannedTensor] {
    var uniqueBits: [TensorName: Int] = [:]
    let assignments = try options.assignments(of: weights) { reference in
      guard source.shape(of: reference.name) != nil else { return nil }
      let bits = try Palettizer.uniqueBits(
        of: reference.name, in: source, options.floats(of: reference.role))
      uniqueBits[reference.name] = bits
      return 1 << (bits ?? 9)
    }
    let planned = assignments.map { assignment in
      let reference = assignment.reference
      return PlannedTensor(
        reference, requested: assignment.scheme,
        uniqueBits: assignment.scheme?.own.isLossless == true
          ? uniqueBits[reference.name] : nil,
        floats: options.floats(of: reference.role), match: assignment.match)
    }
    return try sharing(planned, in: source)
  }

  /// The same plan, in which a weight that equals an earlier one and is stored alike shares it.
  /// Small weights are not worth it.
  private static func sharing(
    _ planned: [PlannedTensor], in source: any WeightSource
  ) throws -> [PlannedTensor] {
    let tied = try TiedWeights(
      planned.map(\.reference).filter(\.role.isCompressible), in: source)
    guard !tied.groups.isEmpty else { return planned }
    return planned.map { tensor in
      let name = tied.first(of: tensor.name)
      let first = planned.first { $0.name == name }
      guard tensor.role.isCompressible, let first, first.name != tensor.name,
        first.role == tensor.role, first.requested == tensor.requested,
        first.floats == tensor.floats
      else { return tensor }
      return tensor.shared(with: first.name)
    }
  }

  /// Names in the source that no weight of the graph has.
  private static func unused(
    _ weights: [WeightReference], in source: any WeightSource
  ) -> [TensorName] {
    let used = Set(weights.map(\.name))
    return source.names.filter { !used.contains($0) }
  }
}
