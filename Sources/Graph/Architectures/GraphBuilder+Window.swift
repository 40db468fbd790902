// Masks of attention that sees a part of a text.
extension GraphBuilder {
  /// The mask of local attention: a token sees those at most `reach` places before and behind it.
  /// [B, 1, 1, S] → [B, 1, S, S].
  ///
  /// Distances are computed, not stored, so that a program does not hold a number for each pair of
  /// places; they are integers, because float16 counts to 2048 only.
  ///
  /// - Parameters:
  ///   - scoreMask: the mask that hides padding.
  ///   - length: S.
  mutating func windowMask(
    _ scoreMask: Operand, reach: Int, length: Int
  ) throws(GraphError) -> Operand {
    let places = (0..<Int32(length)).map { $0 }
    let queries = Operand.literal(.integers(places, shape: [length, 1]))
    let keys = Operand.literal(.integers(places, shape: [1, length]))
    let behind = try append("window_behind", ElementwiseBinary(.sub, queries, keys))
    let before = try append("window_before", ElementwiseBinary(.sub, keys, queries))
    let distance = try append("window_distance", ElementwiseBinary(.maximum, behind, before))
    let limit = Operand.literal(.integers([Int32(clamping: reach + 1)], shape: []))
    let isFar = try append("window_is_far", Comparison(.greaterOrEqual, distance, limit))
    let far = try append("window_far", Cast(isFar, to: .float32))
    let hidden = try append("window_hidden", ElementwiseBinary(.mul, far, .literal(.hiding)))
    return try append("window_mask", ElementwiseBinary(.add, hidden, scoreMask))
  }
}
