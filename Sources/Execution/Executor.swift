import Files
package import Graph
package import Weights

/// Runs graphs on the CPU with the weights of one source.
///
/// Weights are fetched and converted once, at first use, and shared. Sums are taken in a fixed
/// order, so a result depends on the batch, the order and the number of threads by rounding at
/// most. NaN and infinities are passed on as IEEE arithmetic does.
package final class Executor: Sendable {
  private let builder: ExecutionPlanBuilder
  private let jobs: Int
  private let arithmetic: Arithmetic

  /// - Parameter jobs: threads in total, at least 1.
  package convenience init(
    weights: any WeightSource, jobs: Int, arithmetic: Arithmetic = .fastest
  ) {
    self.init(
      builder: ExecutionPlanBuilder(weights: WeightStore(weights), fuses: true),
      jobs: max(1, jobs), arithmetic)
  }

  /// - Parameter fuses: whether operations are fused; off only to compare.
  convenience init(weights: any WeightSource, jobs: Int, fuses: Bool) {
    self.init(
      builder: ExecutionPlanBuilder(weights: WeightStore(weights), fuses: fuses),
      jobs: max(1, jobs), .fastest)
  }

  private init(builder: ExecutionPlanBuilder, jobs: Int, _ arithmetic: Arithmetic) {
    self.builder = builder
    self.jobs = jobs
    self.arithmetic = arithmetic
  }

  /// An executor with some weights replaced, which shares everything prepared from the others.
  ///
  /// - Parameter weights: has every weight, including those fused with replaced ones.
  package func replacing(_ names: [TensorName], by weights: any WeightSource) -> Executor {
    let store = WeightStore(weights, of: names, beside: builder.weights)
    return Executor(
      builder: ExecutionPlanBuilder(weights: store, fuses: builder.fuses), jobs: jobs,
      arithmetic)
  }

  /// Frees the weights; the next run fetches them anew.
  package func forgetWeights() { builder.weights.forget() }

  /// Runs one graph, its matrix products on all threads.
  ///
  /// - Parameter inputs: a value for every input of the graph, by name.
  /// - Returns: the output's elements, row-major; integers and bools as floats.
  /// - Throws: `ExecutionError`, or errors of the weight source.
  package func run(_ graph: ModelGraph, inputs: [String: InputValues]) throws -> [Float] {
    var workspace = Workspace()
    return try run(graph, inputs, in: &workspace, threads: jobs)
  }

  /// Runs one graph operation by operation and measures every value.
  ///
  /// - Returns: of each float value, inputs included, the largest magnitude, by name; NaN where a
  ///   value holds one. Values that are mere views of another are left out.
  /// - Throws: as `run`.
  package func magnitudes(
    _ graph: ModelGraph, inputs: [String: InputValues]
  ) throws -> [String: Float] {
    let plan = try ExecutionPlanBuilder(weights: builder.weights, fuses: false).plan(graph)
    VectorLoops.setMatrixThreads(1)
    var workspace = Workspace()
    var magnitudes: [String: Float] = [:]
    _ = try plan.run(inputs, in: &workspace, threads: 1) { name, tensor in
      guard tensor.type.scalar == .float32 else { return }
      // Patterns without a sign have the order of magnitudes, and NaN comes last.
      var largest: Int32 = 0
      for index in 0..<tensor.count {
        let pattern = unsafe Int32(bitPattern: tensor.floats[index].bitPattern & 0x7FFF_FFFF)
        largest = max(largest, pattern)
      }
      magnitudes[name] = Float(bitPattern: UInt32(bitPattern: largest))
    }
    return magnitudes
  }

  /// Runs one graph operation by operation and keeps some values.
  ///
  /// - Parameter names: of values of floats.
  /// - Returns: their elements, row-major, by name.
  /// - Throws: as `run`.
  package func values(
    named names: Set<String>, _ graph: ModelGraph, inputs: [String: InputValues]
  ) throws -> [String: [Double]] {
    let plan = try ExecutionPlanBuilder(weights: builder.weights, fuses: false).plan(graph)
    VectorLoops.setMatrixThreads(1)
    var workspace = Workspace()
    var values: [String: [Double]] = [:]
    _ = try plan.run(inputs, in: &workspace, threads: 1) { name, tensor in
      guard names.contains(name) else { return }
      switch tensor.type.scalar {
      case .float32: values[name] = (0..<tensor.count).map { unsafe Double(tensor.floats[$0]) }
      case .float64: values[name] = (0..<tensor.count).map { unsafe tensor.doubles[$0] }
      case .int32, .bool: break
      }
    }
    return values
  }

  /// Runs a graph operation by operation, on this thread alone, and keeps every value.
  ///
  /// - Throws: as `run`.
  package func tape(_ graph: ModelGraph, inputs: [String: InputValues]) throws -> Tape {
    VectorLoops.setMatrixThreads(1)
    return try Tape(graph, inputs: inputs, weights: builder.weights)
  }

  /// Runs many graphs, each on one thread if there are at least as many as threads.
  ///
  /// Workers take items in order, so the largest should come first. About a thousand rows
  /// (sentences times tokens) per item keep an item's data inside the caches.
  ///
  /// - Parameters:
  ///   - count: number of items.
  ///   - total: number of items where these are a part of more: an item then gets as many threads as
  ///     if all ran at once, and the same result.
  ///   - make: the graph and inputs of an item; called once for each, on any thread.
  /// - Returns: the results of `run`, by item.
  /// - Throws: the error of the first item, in their order, that fails.
  package func runAll(
    count: Int, of total: Int? = nil,
    _ make: @Sendable (Int) throws -> (ModelGraph, [String: InputValues])
  ) throws -> [[Float]] {
    let threads = jobs / max(1, min(jobs, total ?? count))
    return try Workers.map(count, jobs: jobs, with: { Workspace() }) { workspace, index in
      let (graph, inputs) = try make(index)
      return try run(graph, inputs, in: &workspace, threads: threads)
    }
  }

  private func run(
    _ graph: ModelGraph, _ inputs: [String: InputValues], in workspace: inout Workspace,
    threads: Int
  ) throws -> [Float] {
    let plan = try builder.plan(graph)
    VectorLoops.setMatrixThreads(threads)
    return try plan.run(inputs, in: &workspace, threads: threads, arithmetic: arithmetic)
  }
}
