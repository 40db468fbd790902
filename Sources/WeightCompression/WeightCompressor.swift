package import Graph
import Synchronization

/// Compresses the weights of a graph.
package enum WeightCompressor {
  /// Compresses every weight the role of which asks for it, and keeps the others.
  ///
  /// The result does not depend on `jobs`. `progress` is called with each tensor's name when it is
  /// done, in any order and from any thread.
  ///
  /// - Throws: `CompressionError.refused` listing every tensor that is missing, has another shape
  ///   than the graph needs, holds values that are not finite or too large for the stored float
  ///   type, or whose channels the group size does not divide; or what the source throws.
  package static func compress(
    weights: [WeightReference], from source: any WeightSource, options: CompressionOptions,
    jobs: Int, progress: @Sendable (String) -> Void = { _ in }
  ) throws -> CompressedWeights {
    // Tensors share the threads; what is left of them works inside a tensor.
    let tensorJobs = max(1, min(jobs, weights.count))
    let work = CompressionWork(
      source: source, options: options, jobs: max(1, jobs / tensorJobs))
    // The largest first, so that no thread is left alone with it at the end.
    let order = weights.indices.sorted {
      (weights[$1].elementCount, $0) < (weights[$0].elementCount, $1)
    }
    let refused = Atomic(false)
    let outcomes = Parallel.map(weights.count, jobs: tensorJobs) { index in
      let reference = weights[order[index]]
      let isRefused = refused.load(ordering: .relaxed)
      let outcome = Result { try work.run(reference, checkOnly: isRefused) }
      if case .success(.refused) = outcome { refused.store(true, ordering: .relaxed) }
      progress(reference.name)
      return outcome
    }
    var results: [CompressionWork.Outcome] = Array(repeating: .checked, count: weights.count)
    for (index, outcome) in zip(order, outcomes) { results[index] = try outcome.get() }
    return try collect(results, unused: unused(weights, in: source))
  }

  /// What compression would make of each weight, told from shapes alone.
  ///
  /// - Throws: `CompressionError.refused` listing every tensor whose channels the group size does
  ///   not divide.
  package static func plan(
    weights: [WeightReference], options: CompressionOptions
  ) throws(CompressionError) -> [PlannedTensor] {
    let refusals = weights.compactMap { reference in
      options.scheme(of: reference.role)?.fault(of: reference).map {
        TensorRefusal(name: reference.name, fault: $0)
      }
    }
    guard refusals.isEmpty else { throw .refused(refusals) }
    return weights.map { PlannedTensor($0, options) }
  }

  private static func collect(
    _ results: [CompressionWork.Outcome], unused: [String]
  ) throws(CompressionError) -> CompressedWeights {
    var tensors: [CompressedTensor] = []
    var refusals: [TensorRefusal] = []
    for result in results {
      switch result {
      case .compressed(let tensor): tensors.append(tensor)
      case .refused(let refusal): refusals.append(refusal)
      case .checked: break
      }
    }
    guard refusals.isEmpty else { throw .refused(refusals) }
    return CompressedWeights(tensors: tensors, unused: unused)
  }

  /// Names in the source that no weight of the graph has, compared by bytes.
  private static func unused(
    _ weights: [WeightReference], in source: any WeightSource
  ) -> [String] {
    let used = Set(weights.map { Array($0.name.utf8) })
    return source.names.filter { !used.contains(Array($0.utf8)) }
  }
}
