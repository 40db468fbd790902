import Files
import Graph
import StrictJSON
import Weights

/// Memory that compression needs, estimated from shapes and schemes.
enum MemoryNeed {
  /// Bytes at the peak of compressing one weight.
  ///
  /// - Parameter jobs: threads inside the weight.
  static func byteCount(of planned: PlannedTensor, jobs: Int) -> Int {
    planned.requested?.own.peakBytes(of: planned.reference, jobs: jobs)
      ?? 8 * planned.reference.elementCount
  }
}

extension CompressionWork {
  /// Checks that there is memory to compress a weight.
  ///
  /// - Throws: `FileError.noMemory`.
  func requireMemory(for planned: PlannedTensor) throws {
    let count = planned.reference.elementCount
    try Memory.require(
      MemoryNeed.byteCount(of: planned, jobs: count < Self.largeCount ? 1 : jobs),
      for: "compressing tensor \(quoted(planned.name))",
      of: (source as? any WeightFile)?.files.first ?? "the weights")
  }

  /// Checks that there is memory for each of some weights, before work begins on any.
  func requireMemory(for planned: [PlannedTensor]) throws {
    let needs = planned.map { MemoryNeed.byteCount(of: $0, jobs: jobs) }
    guard let maximum = needs.indices.max(by: { needs[$0] < needs[$1] }) else { return }
    try requireMemory(for: planned[maximum])
  }
}
