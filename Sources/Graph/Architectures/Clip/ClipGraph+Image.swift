extension ClipGraph {
  /// The image encoder: image [B, 3, size, size] of pixels 0...255 → [B, projection].
  mutating func build(_ image: ClipEncoder.Image) throws(GraphError) -> ModelGraph {
    let pixels = graph.input(
      "image", ValueType(.float32, [batch, 3, image.size, image.size]))
    let tokens = image.grid * image.grid + 1
    let patches = try self.patches(
      try graph.normalise(pixels, image.normalisation), image)
    let all = try graph.append("tokens", Concat([try classVector(), patches], axis: 1))
    let placed = try graph.append(
      "tokens_placed",
      ElementwiseBinary(
        .add, all, weight(clip.names.positions, [tokens, width], .positionTable)))
    let normed = try norm(clip.names.preNorm, placed, "tokens_norm")
    return try finish(try blocks(normed, tokens: tokens, mask: nil, pooling: .first))
  }

  // One vector for each patch, row by row: [B, grid², H].
  private mutating func patches(
    _ pixels: Operand, _ image: ClipEncoder.Image
  ) throws(GraphError) -> Operand {
    let matrix = weight(
      clip.names.inputs, [width, 3, image.patch, image.patch], .matrix(outputAxis: 0))
    let grid = try graph.append(
      "patches", Conv(pixels, weight: matrix, strides: [image.patch, image.patch]))
    let flat = try graph.append(
      "patches_flat", Reshape(grid, shape: [batch, width, image.grid * image.grid]))
    return try graph.append("patches_rows", Transpose(flat, permutation: [0, 2, 1]))
  }

  // The class vector, before the patches of every image: [B, 1, H]. It is tiled for one image
  // too: coremltools cannot list a package in which a constant is joined to something.
  private mutating func classVector() throws(GraphError) -> Operand {
    let vector = weight(clip.names.classVector, [1, 1, width], .positionTable)
    return try graph.append("class_vectors", Tile(vector, repetitions: [batch, 1, 1]))
  }
}
