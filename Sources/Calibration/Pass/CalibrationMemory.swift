import Synchronization
import WeightCompression
import Weights

/// What calibrating one model on one set finds out whatever the schemes: who calibrates it many times
/// keeps it.
package final class CalibrationMemory: Sendable {
  private let gradients = Mutex<GradientMoments?>(nil)
  private let tables = Mutex<[Table: CompressedTensor.Content]>([:])

  private struct Table: Hashable {
    let name: TensorName
    let scheme: Scheme
    let floats: FloatType
  }

  package init() {}

  /// What errors cost, measured at first use.
  func gradients(_ measure: () throws -> GradientMoments) rethrows -> GradientMoments {
    if let known = gradients.withLock({ $0 }) { return known }
    let measured = try measure()
    gradients.withLock { $0 = measured }
    return measured
  }

  /// A table in a scheme, compressed at first use: tables do not depend on other weights.
  func table(
    _ tensor: PlannedTensor, _ scheme: Scheme, _ compress: () throws -> CompressedTensor.Content
  ) rethrows -> CompressedTensor.Content {
    let table = Table(name: tensor.name, scheme: scheme, floats: tensor.floats)
    if let known = tables.withLock({ $0[table] }) { return known }
    let content = try compress()
    tables.withLock { $0[table] = content }
    return content
  }
}
