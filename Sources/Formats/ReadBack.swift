import Files
import Graph
import WeightCompression
import Weights

/// Compares a model that was opened again with what was written.
enum ReadBack {
  /// Elements of tensors that are looked at one after another, so that memory stays small.
  private static let largeCount = 1 << 22
  /// Where all tensors together have fewer elements, another thread takes longer to start than it saves.
  private static let littleCount = 1 << 14

  /// Compares all values with the written ones, several tensors at a time.
  ///
  /// - Parameters:
  ///   - records: the written weights, and their names in `source`.
  ///   - path: where the model appears, for messages.
  ///   - check: looks at the values of a tensor first, on any thread.
  /// - Throws: the error of the first tensor, in their order, that fails:
  ///   `EmissionError.readBackDiffers`, or one of `check`.
  static func verify(
    _ source: any WeightSource, holds records: [(TensorRecord, name: TensorName)], path: String,
    _ check: @Sendable (TensorName, [Float]) throws -> Void = { _, _ in }
  ) throws {
    @Sendable func fault(_ index: Int) -> (index: Int, error: any Error)? {
      let (record, name) = records[index]
      do {
        let values = try source.floats(of: name)
        try check(name, values)
        guard ValueChecksum(values) == record.checksum else {
          throw EmissionError.readBackDiffers(path: path, tensor: record.name)
        }
        return nil
      } catch {
        return (index, error)
      }
    }
    let isLarge = records.map { $0.0.shape.reduce(1, *) >= largeCount }
    let large = records.indices.filter { isLarge[$0] }.map { fault($0) }
    let small = records.indices.filter { !isLarge[$0] }
    let count = small.reduce(0) { $0 + records[$1].0.shape.reduce(1, *) }
    let others = Workers.map(small.count, jobs: count < littleCount ? 1 : System.processorCount) {
      fault(small[$0])
    }
    if let first = (large + others).compactMap({ $0 }).min(by: { $0.index < $1.index }) {
      throw first.error
    }
  }
}
