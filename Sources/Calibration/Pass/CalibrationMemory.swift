import Files
import WeightCompression
package import Weights

/// What calibrating one model on one set finds out whatever the schemes: who calibrates it many times
/// keeps it.
package final class CalibrationMemory: Sendable {
  private let gradients = Mutex<GradientMoments?>(nil)
  private let left = Mutex<[TensorName: Double]>([:])
  private let rows = Mutex<[Rows: CompressedTensor.Content]>([:])

  private struct Rows: Hashable {
    let part: SplitScheme.Part
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

  /// Rows of a table in a scheme, compressed at first use: they do not depend on other rows, or on
  /// other weights.
  func rows<Fault: Error>(
    of part: SplitScheme.Part, _ floats: FloatType,
    _ compress: () throws(Fault) -> CompressedTensor.Content
  ) throws(Fault) -> CompressedTensor.Content {
    let key = Rows(part: part, floats: floats)
    if let known = rows.withLock({ $0[key] }) { return known }
    let content = try compress()
    rows.withLock { $0[key] = content }
    return content
  }
}
