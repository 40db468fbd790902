import Dispatch
import Files
import Synchronization
import WeightCompression
import Weights

/// Looks at tensors that were written, several at a time.
enum ReadBack {
  /// Elements of tensors that are looked at one after another, so that memory stays small.
  private static let largeCount = 1 << 22

  /// Calls `body` for every tensor on any thread.
  ///
  /// - Throws: the error of the first tensor, in their order, that fails.
  static func forEach(
    _ tensors: [(TensorRecord, name: TensorName)],
    _ body: @Sendable (TensorRecord, TensorName) throws -> Void
  ) throws {
    @Sendable func fault(_ index: Int) -> (index: Int, error: any Error)? {
      do {
        try body(tensors[index].0, tensors[index].name)
        return nil
      } catch {
        return (index, error)
      }
    }
    let isLarge = tensors.map { $0.0.shape.reduce(1, *) >= largeCount }
    let large = tensors.indices.filter { isLarge[$0] }.map { fault($0) }
    let small = tensors.indices.filter { !isLarge[$0] }
    let others = Workers.map(small.count, jobs: System.processorCount) { fault(small[$0]) }
    if let first = (large + others).compactMap({ $0 }).min(by: { $0.index < $1.index }) {
      throw first.error
    }
  }
}

/// A value that is found out while other work goes on.
final class Meanwhile<Value: Sendable>: Sendable {
  private let result = Mutex<Value?>(nil)
  private let work = DispatchGroup()

  init(_ body: @escaping @Sendable () -> Value) {
    DispatchQueue.global().async(group: work) {
      let value = body()
      self.result.withLock { $0 = value }
    }
  }

  /// The value, once it is there.
  var value: Value {
    work.wait()
    guard let value = result.withLock({ $0 }) else {
      preconditionFailure("the work ended without a value")
    }
    return value
  }
}
