import Weights

/// Reads the layers of a mobile network off the names and shapes of its weights.
struct MobileNetReader {
  let variant: MobileNetVariant
  let layers: ConvLayerReader

  /// Most blocks of a stage.
  private static let maxBlocks = 200

  func stem() throws -> ConvLayer {
    var stem = try layer("conv_stem", norm: "bn1", variant.activation)
    stem.stride = 2
    return stem
  }

  func head() throws -> MobileHead {
    let isPooledFirst = if case .pooledLast = variant.head { false } else { true }
    let norm: String? =
      switch variant.head {
      case .pooledFirst: nil
      case .pooledFirstWithNorm: "norm_head"
      case .pooledLast: "bn2"
      }
    return MobileHead(
      conv: try layer("conv_head", norm: norm, variant.activation), isPooledFirst: isPooledFirst)
  }

  func blocks() throws -> [MobileBlock] {
    try variant.strides.indices.flatMap { stage in
      var blocks: [MobileBlock] = []
      while blocks.count < Self.maxBlocks, let block = try block(stage, blocks.count) {
        blocks.append(block)
      }
      guard !blocks.isEmpty else {
        throw ModelError.missingWeight(
          origin: layers.origin, name: TensorName("blocks.\(stage).0.conv.weight"))
      }
      return blocks
    }
  }

  /// Nil if the stage has ended.
  private func block(_ stage: Int, _ index: Int) throws -> MobileBlock? {
    let source = "blocks.\(stage).\(index)."
    guard let kind = BlockKind.allCases.first(where: { has("\(source)\($0.mark)") }) else {
      return nil
    }
    let stride = index == 0 ? variant.strides[stage] : 1
    let steps = try steps(
      kind, source, stride: stride, activation: variant.activation(ofStage: stage))
    let convolutions = steps.compactMap { if case .conv(let layer) = $0 { layer } else { nil } }
    guard let first = convolutions.first, let last = convolutions.last else { return nil }
    let inputs = first.groups * first.shape[1]
    return MobileBlock(
      name: "block\(stage)_\(index)", steps: steps,
      hasSkip: kind != .plain && stride == 1 && inputs == last.shape[0])
  }

  /// All layers of a block that have weights; the one that steps has the stride.
  private func steps(
    _ kind: BlockKind, _ source: String, stride: Int, activation: ConvActivation
  ) throws -> [MobileBlock.Step] {
    let parts = kind.parts.filter { $0.isExcitation || has("\(source)\($0.conv)") }
    let stepping = kind.stepping.first { part in parts.contains { $0.conv == part } }
    return try parts.compactMap { part in
      if part.isExcitation {
        return try excitation("\(source)se.", activation).map(MobileBlock.Step.excitation)
      }
      var layer = try layer(
        "\(source)\(part.conv)", norm: "\(source)\(part.norm)",
        part.isActive ? activation : nil)
      if part.conv == stepping { layer.stride = stride }
      return .conv(layer)
    }
  }

  /// Nil if the block has none.
  private func excitation(_ source: String, _ activation: ConvActivation) throws -> Excitation? {
    guard has("\(source)conv_reduce") else { return nil }
    let inner = variant.gate.isHard ? variant.gate.inner : activation
    return Excitation(
      reduce: try layer("\(source)conv_reduce", norm: nil, inner),
      expand: try layer("\(source)conv_expand", norm: nil, nil), isHard: variant.gate.isHard)
  }

  private func has(_ source: String) -> Bool { layers.has(source) }

  private func layer(
    _ source: String, norm: String?, _ activation: ConvActivation?
  ) throws -> ConvLayer {
    try layers.layer(
      source, norm: norm, activation,
      isDepthwise: source.contains("conv_dw") || source.contains("dw_"))
  }
}

/// The kinds of blocks, told by a layer that only this kind has; the first that fits counts.
private enum BlockKind: CaseIterable {
  /// A convolution.
  case plain
  /// Up to two depthwise convolutions around the wide part: MobileNetV4's universal block.
  case universal
  /// A convolution that widens, and one that narrows.
  case edge
  /// Widens, convolves each channel, narrows.
  case inverted
  /// Convolves each channel, narrows.
  case separable

  struct Part {
    let conv: String
    var norm = ""
    var isActive = false

    /// Where squeeze and excitation has its place.
    static let excitation = Part(conv: "se")
    var isExcitation: Bool { conv == "se" }
  }

  /// The layer that tells it.
  var mark: String {
    switch self {
    case .plain: "conv"
    case .universal: "pw_exp.conv"
    case .edge: "conv_exp"
    case .inverted: "conv_pwl"
    case .separable: "conv_pw"
    }
  }

  /// Layers in their order, with those that a block may lack.
  var parts: [Part] {
    switch self {
    case .plain: [Part(conv: "conv", norm: "bn1", isActive: true)]
    case .universal:
      [
        Part(conv: "dw_start.conv", norm: "dw_start.bn"),
        Part(conv: "pw_exp.conv", norm: "pw_exp.bn", isActive: true),
        Part(conv: "dw_mid.conv", norm: "dw_mid.bn", isActive: true), .excitation,
        Part(conv: "pw_proj.conv", norm: "pw_proj.bn"),
        Part(conv: "dw_end.conv", norm: "dw_end.bn"),
      ]
    case .edge:
      [
        Part(conv: "conv_exp", norm: "bn1", isActive: true), .excitation,
        Part(conv: "conv_pwl", norm: "bn2"),
      ]
    case .inverted:
      [
        Part(conv: "conv_pw", norm: "bn1", isActive: true),
        Part(conv: "conv_dw", norm: "bn2", isActive: true), .excitation,
        Part(conv: "conv_pwl", norm: "bn3"),
      ]
    case .separable:
      [
        Part(conv: "conv_dw", norm: "bn1", isActive: true), .excitation,
        Part(conv: "conv_pw", norm: "bn2"),
      ]
    }
  }

  /// The layers that may have the block's stride; the first that exists has it.
  var stepping: [String] {
    switch self {
    case .plain: ["conv"]
    case .universal: ["dw_mid.conv", "dw_start.conv", "dw_end.conv"]
    case .edge: ["conv_exp"]
    case .inverted, .separable: ["conv_dw"]
    }
  }
}
