package import Graph
package import Weights

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
