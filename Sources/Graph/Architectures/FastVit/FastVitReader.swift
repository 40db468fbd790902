import Weights

/// Reads the layers of a FastViT off the names and shapes of its weights: how many there are, how wide, and
/// whether their branches were put together.
struct FastVitReader {
  let layers: ConvLayerReader
  let variant: FastVitVariant
  /// Prefix of all names.
  var root = ""

  /// Most stages of a model and most blocks of a stage.
  private static let (maxStages, maxBlocks) = (8, 200)

  /// - Parameter outputs: of the linear head behind the features; nil without a head.
  /// - Throws: `ModelError` for a weight that is missing or has another shape.
  func network(outputs: Int?) throws -> FastVitNetwork {
    let stem = try stem()
    var channels = stem.last?.outputs ?? 3
    var stages: [FastVitStage] = []
    while stages.count < Self.maxStages, hasBlock("\(root)stages.\(stages.count).blocks.0.") {
      stages.append(try stage(stages.count, &channels))
    }
    let branched = BranchedConvReader(layers: layers)
    let last = try branched.mobileOne(
      "\(root)final_conv.", "final", channels, isDepthwise: true, isExcited: true)
    return FastVitNetwork(
      stem: stem, stages: stages, last: last,
      head: try outputs.map { try head($0, features: last.outputs) })
  }

  private func stem() throws -> [BranchedConv] {
    var stem: [BranchedConv] = []
    for (index, stride) in [2, 2, 1].enumerated() {
      stem.append(
        try BranchedConvReader(layers: layers).mobileOne(
          "\(root)stem.\(index).", "stem\(index)", stem.last?.outputs ?? 3, stride: stride,
          isDepthwise: index == 1, isScaled: variant.scalesStem))
    }
    return stem
  }

  private func head(_ outputs: Int, features: Int) throws -> FastVitHead {
    let source = "\(root)head.fc"
    try require("\(source).weight", [outputs, features])
    let hasBias = layers.weights.shape(of: TensorName("\(source).bias")) != nil
    return FastVitHead(source: source, outputs: outputs, hasBias: hasBias)
  }

  private func require(_ name: String, _ shape: [Int]) throws {
    let name = TensorName(name)
    guard let found = layers.weights.shape(of: name) else {
      throw ModelError.missingWeight(origin: layers.origin, name: name)
    }
    guard found == shape else {
      throw ModelError.wrongShape(
        origin: layers.origin, name: name, found: found, expected: shape)
    }
  }

  private func hasBlock(_ source: String) -> Bool { layers.has("\(source)mlp.fc1") }

  /// - Parameter channels: those of the image before, then those behind.
  private func stage(_ index: Int, _ channels: inout Int) throws -> FastVitStage {
    let source = "\(root)stages.\(index).", name = "stage\(index)"
    let entry = try entry(index, "\(source)downsample.proj.", name, channels)
    channels = entry.last?.outputs ?? channels
    var blocks: [FastVitBlock] = []
    while blocks.count < Self.maxBlocks, hasBlock("\(source)blocks.\(blocks.count).") {
      blocks.append(
        try block("\(source)blocks.\(blocks.count).", "\(name)_block\(blocks.count)", channels))
    }
    let looksAround = if case .attention = blocks[0].mixer { true } else { false }
    return FastVitStage(
      entry: entry,
      positions: looksAround ? try positions("\(source)pos_emb.", name, channels) : nil,
      blocks: blocks)
  }

  private func positions(
    _ source: String, _ name: String, _ channels: Int
  ) throws -> FastVitPositions {
    let isWhole = layers.has("\(source)reparam_conv")
    let conv = try layers.layer(
      source + (isWhole ? "reparam_conv" : "pos_enc"), inputs: channels, isDepthwise: true)
    return FastVitPositions(name: "\(name)_positions", conv: conv, hasSkip: !isWhole)
  }

  /// A convolution with a large window and one of single places; empty where there is none.
  private func entry(
    _ stage: Int, _ source: String, _ name: String, _ channels: Int
  ) throws -> [BranchedConv] {
    let (small, place) = ("\(source)0.", "\(source)1.")
    guard layers.has("\(small)reparam_conv") || layers.has("\(small)large_conv.conv") else {
      return []
    }
    let reader = BranchedConvReader(layers: layers)
    let large = try reader.large(
      small, "\(name)_entry0", channels, isExcited: variant.excitedStages.contains(stage),
      isActive: variant.activatesEntries)
    return [large, try reader.mobileOne(place, "\(name)_entry1", large.outputs)]
  }

  private func block(_ source: String, _ name: String, _ channels: Int) throws -> FastVitBlock {
    let isAttention = layers.has("\(source)token_mixer.qkv")
    let conv = try layers.layer(
      "\(source)mlp.conv.conv", norm: "\(source)mlp.conv.bn", inputs: channels,
      isDepthwise: true)
    let wide = try layers.layer("\(source)mlp.fc1", .gelu, inputs: channels)
    let narrow = try layers.layer("\(source)mlp.fc2", inputs: wide.shape[0])
    return FastVitBlock(
      name: name, channels: channels,
      mixer: isAttention
        ? try attention(source, channels) : try mixer("\(source)token_mixer.", name, channels),
      feedForward: [conv, wide, narrow],
      scale: "\(source)layer_scale\(isAttention ? "_2" : "").gamma")
  }

  private func mixer(
    _ source: String, _ name: String, _ channels: Int
  ) throws -> FastVitBlock.Mixer {
    if layers.has("\(source)reparam_conv") {
      return .conv(
        try layers.layer("\(source)reparam_conv", inputs: channels, isDepthwise: true))
    }
    let branches = try BranchedConvReader(layers: layers).mobileOne(
      "\(source)mixer.", "\(name)_mixer", channels, isDepthwise: true, isActive: false)
    return .branches(
      branches, norm: "\(source)norm.identity", scale: "\(source)layer_scale.gamma")
  }

  private func attention(_ source: String, _ channels: Int) throws -> FastVitBlock.Mixer {
    guard channels.isMultiple(of: FastVitAttention.headWidth) else {
      throw ModelError.unsupported(
        place: "\(layers.origin): '\(source)token_mixer'",
        found: "attention of \(channels) channels",
        supported: "multiples of \(FastVitAttention.headWidth)")
    }
    let hasStatistics =
      layers.weights.shape(of: TensorName("\(source)norm.running_mean")) != nil
    return .attention(
      FastVitAttention(
        norm: hasStatistics ? .channels("\(source)norm") : .places("\(source)norm"),
        source: "\(source)token_mixer.", scale: "\(source)layer_scale_1.gamma"))
  }
}
