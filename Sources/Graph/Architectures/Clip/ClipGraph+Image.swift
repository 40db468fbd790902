extension ClipGraph {
  /// The image encoder: image [B, 3, height, width] of pixels 0...255 → [B, projection].
  mutating func build(_ image: ClipEncoder.Image) throws(GraphError) -> ModelGraph {
    let pixels = graph.input(
      "image", ValueType(.float32, [batch, 3, image.height, image.width]))
    let tokens = image.patchCount + 1
    let normalised = try graph.normalise(pixels, image.normalisation)
    let patches = try graph.patchRows(
      normalised, weight: clip.names.inputs, side: image.patch,
      shape: [batch, image.patchCount, width])
    let all = try graph.append("tokens", Concat([try classVector(), patches], axis: 1))
    let placed = try graph.append(
      "tokens_placed",
      ElementwiseBinary(
        .add, all, weight(clip.names.positions, [tokens, width], .positionTable)))
    let normed = try norm(clip.names.preNorm, placed, "tokens_norm")
    return try finish(try blocks(normed, tokens: tokens, mask: nil, pooling: .first))
  }

  // The class vector, before the patches of every image: [B, 1, H]. It is tiled for one image
  // too: coremltools cannot list a package in which a constant is joined to something.
  private mutating func classVector() throws(GraphError) -> Operand {
    let vector = weight(clip.names.classVector, [1, 1, width], .positionTable)
    return try graph.append("class_vectors", Tile(vector, repetitions: [batch, 1, 1]))
  }
}
