import Dispatch
import Synchronization
import WeightCompression

/// Looks at tensors that were written, several at a time.
enum ReadBack {
  /// Elements of tensors that are looked at one after another, so that memory stays small.
  private static let largeCount = 1 << 22

  /// Calls `body` for every tensor on any thread.
  ///
  /// - Throws: the error of the first tensor, in their order, that fails.
  static func forEach(
    _ tensors: [(TensorRecord, name: String)],
    _ body: @Sendable (TensorRecord, String) throws -> Void
  ) throws {
    let failures = Mutex<[Int: any Error]>([:])
    @Sendable func look(_ index: Int) {
      do {
        try body(tensors[index].0, tensors[index].name)
      } catch {
        failures.withLock { $0[index] = error }
      }
    }
    let isLarge = tensors.map { $0.0.shape.reduce(1, *) >= largeCount }
    for index in tensors.indices where isLarge[index] { look(index) }
    let small = tensors.indices.filter { !isLarge[$0] }
    DispatchQueue.concurrentPerform(iterations: small.count) { look(small[$0]) }
    if let first = failures.withLock({ $0.min { $0.key < $1.key } }) { throw first.value }
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
