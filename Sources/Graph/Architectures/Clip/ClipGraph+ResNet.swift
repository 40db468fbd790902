extension ClipGraph {
  /// The residual network: image [B, 3, size, size] of pixels 0...255 → [B, projection].
  mutating func build(_ network: ClipResNet) throws(GraphError) -> ModelGraph {
    let pixels = try graph.pixels(
      batch: batch, width: network.size, height: network.size, network.normalisation)
    var states = try stem(pixels, network.width)
    var channels = network.width
    for (stage, blocks) in network.blocks.enumerated() {
      for index in 0..<blocks {
        let name = "stage\(stage)_block\(index)"
        let block = ResidualBlock(
          source: "visual.layer\(stage + 1).\(index)", name: name, inputs: channels,
          inner: network.width << stage, stride: stage > 0 && index == 0 ? 2 : 1)
        states = try append(block, states)
        channels = block.outputs
      }
    }
    let pooled = try attentionPool(states, network)
    let embedding = try graph.unitRows(pooled)
    return try graph.finish(output: embedding)
  }

  /// A block that narrows, convolves and widens again, beside its input.
  private struct ResidualBlock {
    let source: String
    let name: String
    let inputs: Int
    let inner: Int
    let stride: Int

    var outputs: Int { 4 * inner }
    /// Whether the input is convolved, too, so that it fits the output.
    var fitsInput: Bool { stride > 1 || inputs != outputs }
  }

  private mutating func stem(_ x: Operand, _ width: Int) throws(GraphError) -> Operand {
    var states = x
    let shapes = [(3, width / 2, 2), (width / 2, width / 2, 1), (width / 2, width, 1)]
    for (index, (inputs, outputs, stride)) in shapes.enumerated() {
      states = try convolve(
        states, "visual.conv\(index + 1)", "visual.bn\(index + 1)", "stem\(index)",
        [outputs, inputs, 3, 3], stride: stride)
      states = try graph.apply(.relu, to: states, "stem\(index)_active")
    }
    return try shrink(states, by: 2, "stem_pooled")
  }

  private mutating func append(
    _ block: ResidualBlock, _ x: Operand
  ) throws(GraphError) -> Operand {
    let (source, name) = (block.source, block.name)
    let narrow = try convolve(
      x, "\(source).conv1", "\(source).bn1", "\(name)_narrow", [block.inner, block.inputs, 1, 1])
    let first = try graph.apply(.relu, to: narrow, "\(name)_narrow_active")
    let middle = try convolve(
      first, "\(source).conv2", "\(source).bn2", "\(name)_middle",
      [block.inner, block.inner, 3, 3])
    let second = try graph.apply(.relu, to: middle, "\(name)_middle_active")
    let wide = try convolve(
      try shrink(second, by: block.stride, "\(name)_middle_pooled"), "\(source).conv3",
      "\(source).bn3", "\(name)_wide", [block.outputs, block.inner, 1, 1])
    var residual = x
    if block.fitsInput {
      residual = try convolve(
        try shrink(x, by: block.stride, "\(name)_input_pooled"), "\(source).downsample.0",
        "\(source).downsample.1", "\(name)_input", [block.outputs, block.inputs, 1, 1])
    }
    let sum = try graph.append("\(name)_sum", ElementwiseBinary(.add, wide, residual))
    return try graph.apply(.relu, to: sum, "\(name)_output")
  }

  // A convolution that keeps the image's size for stride 1, and its norm.
  private mutating func convolve(
    _ x: Operand, _ source: String, _ norm: String, _ name: String, _ shape: [Int],
    stride: Int = 1
  ) throws(GraphError) -> Operand {
    let steps = WindowSteps.centred(Array(shape[2...]), stride: stride)
    let made = try graph.conv(x, source, "\(name)_conv", shape: shape, steps: steps)
    return try graph.batchNorm(
      made, norm, name, channels: shape[0], epsilon: clip.transformer.epsilon)
  }

  // Means of squares of pixels.
  private mutating func shrink(
    _ x: Operand, by side: Int, _ name: String
  ) throws(GraphError) -> Operand {
    guard side > 1 else { return x }
    return try graph.append(
      name,
      Pool(.average, x, window: [side, side], steps: WindowSteps(strides: [side, side])))
  }

  // Attention of the mean over all places and itself: [B, H, rows, columns] → [B, projection].
  private mutating func attentionPool(
    _ x: Operand, _ network: ClipResNet
  ) throws(GraphError) -> Operand {
    let source = "visual.attnpool"
    let flat = try graph.append(
      "features_flat", Reshape(x, shape: [batch, width, network.tokens - 1]))
    let rows = try graph.append("features_rows", Transpose(flat, permutation: [0, 2, 1]))
    let mean = try graph.append("features_mean", Reduce(.mean, rows, axis: 1, keepsAxis: true))
    let all = try graph.append("features_joined", Concat([mean, rows], axis: 1))
    let placed = try graph.append(
      "features_placed",
      ElementwiseBinary(
        .add, all,
        weight("\(source).positional_embedding", [network.tokens, width], .positionTable)))
    let first = try graph.append(
      "features_first", SliceByIndex(placed, begin: [0, 0, 0], end: [batch, 1, width]))
    let query = try linear("\(source).q_proj", "pool_query", first, width, width)
    let key = try linear("\(source).k_proj", "pool_key", placed, width, width)
    let value = try linear("\(source).v_proj", "pool_value", placed, width, width)
    let context = try graph.attention(
      query: try split(query, "pool_query", tokens: 1),
      key: try split(key, "pool_key", tokens: network.tokens),
      value: try split(value, "pool_value", tokens: network.tokens), mask: nil, "pool",
      shape: [batch, 1, width])
    let row = try graph.append("pooled", Reshape(context, shape: [batch, width]))
    return try linear("\(source).c_proj", "projected", row, width, clip.projection)
  }
}
