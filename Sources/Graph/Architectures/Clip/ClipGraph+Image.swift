extension ClipGraph {
  /// The image encoder: image [B, 3, height, width] of pixels 0...255 → [B, projection].
  mutating func build(_ image: ClipEncoder.Image) throws(GraphError) -> ModelGraph {
    let tokens = image.patchCount + 1
    let normalised = try graph.pixels(
      batch: batch, width: image.width, height: image.height, image.normalisation)
    let patches = try graph.patchRows(
      normalised, weight: clip.names.inputs, side: image.patch,
      shape: [batch, image.patchCount, width])
    let all = try graph.append("tokens", Concat([try classVector(), patches], axis: 1))
    let placed = try graph.append(
      "tokens_placed",
      ElementwiseBinary(
        .add, all, weight(clip.names.positions, [tokens, width], .positionTable)))
    let first = image.hasPreNorm ? try norm(clip.names.preNorm, placed, "tokens_norm") : placed
    return try end(first, image, tokens: tokens)
  }

  // The class vector, before the patches of every image: [B, 1, H]. It is tiled for one image
  // too: coremltools cannot list a package in which a constant is joined to something.
  private mutating func classVector() throws(GraphError) -> Operand {
    let vector = weight(clip.names.classVector, [1, 1, width], .positionTable)
    return try graph.append("class_vectors", Tile(vector, repetitions: [batch, 1, 1]))
  }

  // Everything from the blocks on: [B, S, H] → [B, projection].
  private mutating func end(
    _ states: Operand, _ image: ClipEncoder.Image, tokens: Int
  ) throws(GraphError) -> ModelGraph {
    if let pooler = image.pooler {
      let all = try blocks(states, tokens: tokens, mask: nil, pooling: nil)
      return try finish(attended: try attend(all, pooler, image, tokens: tokens), image)
    }
    guard image.pooling == .mean else {
      return try finish(
        try row(try blocks(states, tokens: tokens, mask: nil, pooling: .place(0))))
    }
    let all = try blocks(states, tokens: tokens, mask: nil, pooling: nil)
    let normed = image.normsPooled ? all : try norm(clip.names.lastNorm, all, "tokens_last_norm")
    let patches = try graph.append(
      "patch_states", SliceByIndex(normed, begin: [0, 1, 0], end: [batch, tokens, width]))
    let mean = try graph.append(
      "pooled", Reduce(.mean, patches, axis: 1, keepsAxis: false))
    return image.normsPooled ? try finish(mean) : try finish(normed: mean, width: width)
  }
}
