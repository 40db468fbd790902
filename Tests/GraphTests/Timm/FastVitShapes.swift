/// Names and shapes of the weights of a small FastViT: a stem, a stage of one block that mixes by
/// convolutions, one of one block that mixes by attention, and a head.
struct FastVitShapes {
  /// Whether branches were put together.
  var isWhole = false
  /// Channels of both stages.
  var channels = [8, 32]
  /// Numbers of the head; nil without.
  var outputs: Int?
  private(set) var all: [String: [Int]] = [:]

  init(isWhole: Bool = false, channels: [Int] = [8, 32], outputs: Int? = nil) {
    (self.isWhole, self.channels, self.outputs) = (isWhole, channels, outputs)
    mobileOne("stem.0.", 3, channels[0], 3, isDepthwise: false, keepsSize: false)
    mobileOne("stem.1.", channels[0], channels[0], 3, keepsSize: false)
    mobileOne("stem.2.", channels[0], channels[0], 1, isDepthwise: false)
    mixing("stages.0.blocks.0.", channels[0])
    entry("stages.1.downsample.proj.")
    let positions = isWhole ? "reparam_conv" : "pos_enc"
    conv("stages.1.pos_emb.\(positions)", [channels[1], 1, 7, 7], hasBias: true)
    attention("stages.1.blocks.0.", channels[1])
    mobileOne("final_conv.", channels[1], 2 * channels[1], 3, keepsSize: false)
    excitation("final_conv.se.", 2 * channels[1])
    if let outputs {
      all["head.fc.weight"] = [outputs, 2 * channels[1]]
      all["head.fc.bias"] = [outputs]
    }
  }

  private mutating func conv(_ name: String, _ shape: [Int], hasBias: Bool = false) {
    all["\(name).weight"] = shape
    if hasBias { all["\(name).bias"] = [shape[0]] }
  }

  private mutating func norm(_ name: String, _ channels: Int) {
    for part in ["weight", "bias", "running_mean", "running_var"] {
      all["\(name).\(part)"] = [channels]
    }
  }

  private mutating func excitation(_ name: String, _ channels: Int) {
    conv("\(name)fc1", [4, channels, 1, 1], hasBias: true)
    conv("\(name)fc2", [channels, 4, 1, 1], hasBias: true)
  }

  private mutating func branch(_ name: String, _ shape: [Int]) {
    conv("\(name).conv", shape)
    norm("\(name).bn", shape[0])
  }

  private mutating func mobileOne(
    _ name: String, _ inputs: Int, _ outputs: Int, _ side: Int, isDepthwise: Bool = true,
    keepsSize: Bool = true
  ) {
    let depth = isDepthwise ? 1 : inputs
    guard !isWhole else {
      return conv("\(name)reparam_conv", [outputs, depth, side, side], hasBias: true)
    }
    branch("\(name)conv_kxk.0", [outputs, depth, side, side])
    if side > 1 { branch("\(name)conv_scale", [outputs, depth, 1, 1]) }
    if keepsSize, inputs == outputs { norm("\(name)identity", outputs) }
  }

  private mutating func entry(_ name: String) {
    if isWhole {
      conv("\(name)0.reparam_conv", [channels[1], 1, 7, 7], hasBias: true)
    } else {
      branch("\(name)0.large_conv", [channels[1], 1, 7, 7])
      branch("\(name)0.small_conv", [channels[1], 1, 3, 3])
    }
    mobileOne("\(name)1.", channels[1], channels[1], 1, isDepthwise: false)
  }

  private mutating func feedForward(_ name: String, _ channels: Int) {
    branch("\(name)mlp.conv", [channels, 1, 7, 7])
    conv("\(name)mlp.fc1", [3 * channels, channels, 1, 1], hasBias: true)
    conv("\(name)mlp.fc2", [channels, 3 * channels, 1, 1], hasBias: true)
  }

  private mutating func mixing(_ name: String, _ channels: Int) {
    feedForward(name, channels)
    all["\(name)layer_scale.gamma"] = [channels, 1, 1]
    guard !isWhole else {
      return conv("\(name)token_mixer.reparam_conv", [channels, 1, 3, 3], hasBias: true)
    }
    mobileOne("\(name)token_mixer.mixer.", channels, channels, 3)
    norm("\(name)token_mixer.norm.identity", channels)
    all["\(name)token_mixer.layer_scale.gamma"] = [channels, 1, 1]
  }

  private mutating func attention(_ name: String, _ channels: Int) {
    feedForward(name, channels)
    norm("\(name)norm", channels)
    all["\(name)token_mixer.qkv.weight"] = [3 * channels, channels]
    all["\(name)token_mixer.proj.weight"] = [channels, channels]
    all["\(name)token_mixer.proj.bias"] = [channels]
    all["\(name)layer_scale_1.gamma"] = [channels, 1, 1]
    all["\(name)layer_scale_2.gamma"] = [channels, 1, 1]
  }
}
