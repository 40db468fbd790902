import Weights

extension FastVitGraph {
  /// Attention over all places of an image, its norm before it: [B, C, height, width] → the same
  /// shape.
  mutating func attend(
    _ attention: FastVitAttention, _ block: FastVitBlock, _ x: Operand
  ) throws(GraphError) -> Operand {
    let name = "\(block.name)_attention"
    guard let image = graph.type(of: x)?.shape, image.count == 4 else {
      throw GraphError(value: name, operation: "attention", reason: "its input is not an image")
    }
    let shape = [batch, image[2] * image[3], block.channels]
    let places = try normalised(attention.norm, x, name, shape)
    let joined = try graph.linear(
      places, "\(attention.source)qkv", "\(name)_projections", inputs: shape[2],
      outputs: 3 * shape[2], hasBias: false)
    var parts: [Operand] = []
    for (index, part) in ["query", "key", "value"].enumerated() {
      let columns = try graph.columns(
        joined, "\(name)_\(part)", from: index * shape[2], width: shape[2], of: shape)
      parts.append(
        try graph.splitHeads(
          columns, "\(name)_\(part)", shape: shape,
          heads: shape[2] / FastVitAttention.headWidth))
    }
    let context = try graph.attention(
      query: parts[0], key: parts[1], value: parts[2], mask: nil, name, shape: shape)
    let seen = try graph.linear(
      context, "\(attention.source)proj", "\(name)_output", inputs: shape[2],
      outputs: shape[2])
    let planes = try graph.append("\(name)_planes", Transpose(seen, permutation: [0, 2, 1]))
    return try graph.append("\(name)_image", Reshape(planes, shape: image))
  }

  // One row for each place, normalised: [B, C, height, width] → [B, places, C].
  private mutating func normalised(
    _ norm: FastVitAttention.Norm, _ x: Operand, _ name: String, _ shape: [Int]
  ) throws(GraphError) -> Operand {
    switch norm {
    case .channels(let source):
      let image = try graph.batchNorm(
        x, source, "\(name)_norm", channels: shape[2], epsilon: ConvRules().epsilon)
      return try rows(image, name, shape)
    case .places(let source):
      return try graph.norm(
        try rows(x, name, shape), source, "\(name)_norm", width: shape[2], epsilon: 1e-5)
    }
  }

  private mutating func rows(
    _ image: Operand, _ name: String, _ shape: [Int]
  ) throws(GraphError) -> Operand {
    let flat = try graph.append(
      "\(name)_flat", Reshape(image, shape: [shape[0], shape[2], shape[1]]))
    return try graph.append("\(name)_rows", Transpose(flat, permutation: [0, 2, 1]))
  }
}
