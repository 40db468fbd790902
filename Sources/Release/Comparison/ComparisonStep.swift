/// How far a comparison is.
package enum ComparisonStep: Equatable, Sendable {
  /// Bytes of files that are on both sides.
  case comparing(Int, of: Int)
  /// Bytes of the files of one package.
  case unpacking(Int, of: Int)
  /// Tensors of one model.
  case comparingTensors(Int, of: Int)
}
