import Synchronization
import WeightCompression
package import Weights

/// What calibrating one model on one set finds out whatever the schemes: who calibrates it many times
/// keeps it.
package final class CalibrationMemory: Sendable {
  private let gradients = Mutex<GradientMoments?>(nil)
  private let left = Mutex<[TensorName: Double]>([:])
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

  /// Takes what errors cost, where it is known before the first use.
  func keep(_ measured: GradientMoments) { gradients.withLock { $0 = measured } }

  /// The part of the error of rounding that the last fit of each layer left.
  package var partsLeft: [TensorName: Double] { left.withLock { $0 } }

  /// Takes what the fit of a layer left.
  func record(_ part: Double, leftOf layer: TensorName) {
    if part.isFinite, part > 0 { left.withLock { $0[layer] = part } }
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
