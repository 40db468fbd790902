// Parts that the graphs of several transformers share.
extension GraphBuilder {
  /// The heads of each token side by side: [B, S, H] → [B, heads, S, H/heads].
  ///
  /// - Parameters:
  ///   - name: prefix of the values' names.
  ///   - shape: [B, S, H].
  mutating func splitHeads(
    _ x: Operand, _ name: String, shape: [Int], heads: Int
  ) throws(GraphError) -> Operand {
    let split = try append(
      "\(name)_split", Reshape(x, shape: [shape[0], shape[1], heads, shape[2] / heads]))
    return try append("\(name)_heads", Transpose(split, permutation: [0, 2, 1, 3]))
  }

  /// Divides each row by its Euclidean length: [B, H] → [B, H].
  ///
  /// - Parameter name: of the value; usually the model's vector.
  mutating func unitRows(_ rows: Operand, _ name: String? = nil) throws(GraphError) -> Operand {
    let part = name ?? "row"
    let length = try append("\(part)_length", Reduce(.l2Norm, rows, axis: 1, keepsAxis: true))
    let divisor = try append(
      "\(part)_divisor", ElementwiseBinary(.maximum, length, .literal(.float(1e-12))))
    return try append(name ?? "embedding", ElementwiseBinary(.realDivision, rows, divisor))
  }
}
