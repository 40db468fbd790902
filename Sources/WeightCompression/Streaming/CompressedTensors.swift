package import Graph
package import Weights

/// The compressed weights of a graph, handed out one after another so that no more than one needs to
/// be there.
package protocol CompressedTensors: Sendable {
  /// The tensors, in the order in which the graph uses them.
  var planned: [PlannedTensor] { get }
  /// Names of tensors in the source that the graph does not use, in the source's order.
  var unused: [TensorName] { get }
  /// The inputs they were fitted to; nil without calibration.
  var calibration: CalibrationRecord? { get }
  /// Calls `body` with each tensor in the order of `planned`.
  ///
  /// - Throws: errors of `body`, and `CompressionError` for faults of the weights.
  func forEach(_ body: (CompressedTensor) throws -> Void) throws
}

/// The facts of a compressed tensor that stay in memory once its numbers are written.
package struct TensorRecord: Hashable, Sendable {
  package let name: TensorName
  package let shape: [Int]
  package let role: WeightRole
  /// A phrase for listings: the scheme's, "kept", or "refitted".
  package let schemeLabel: String
  /// Bits per stored element, or per vector of them, without scales and palettes.
  package let bits: Int
  /// ‖w − ŵ‖ / ‖w‖.
  package let relativeError: Double
  /// Of the values a model computes with.
  package let checksum: ValueChecksum

  /// - Parameters:
  ///   - planned: the plan for the tensor.
  ///   - rows: the number of rows to write, from the first; nil for all.
  package init(_ tensor: CompressedTensor, _ planned: PlannedTensor, rows: Int? = nil) {
    name = tensor.name
    shape = tensor.shape
    role = tensor.role
    schemeLabel = planned.sharedWith == nil ? tensor.schemeLabel : planned.schemeLabel
    bits = tensor.bits
    relativeError = tensor.relativeError
    checksum =
      rows.map { tensor.checksum(first: tensor.shape.dropFirst().reduce($0, *)) }
      ?? tensor.checksum
  }
}
