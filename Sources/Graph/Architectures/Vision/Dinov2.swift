import StrictJSON
package import Weights

/// Hugging Face's `Dinov2Model`, with registers or without: the vector of the class token, which the
/// library calls `pooler_output`; and its classifiers.
///
/// Source: Oquab et al. 2023, arXiv:2304.07193; registers: Darcet et al. 2023, arXiv:2309.16588.
package struct Dinov2: VisionArchitecture {
  package static let name = "dinov2"
  package static let modelTypes = [name, withRegisters]
  package static let signature = "config.json with \"model_type\": \"dinov2\""
  private static let withRegisters = "dinov2_with_registers"

  let vision: VisionTransformer
  package let describingFiles: [String]

  private static let understood = [
    "hidden_size", "num_hidden_layers", "num_attention_heads", "mlp_ratio", "hidden_act",
    "layer_norm_eps", "image_size", "patch_size", "num_channels", "qkv_bias", "use_swiglu_ffn",
  ]

  package func role(ofUnused name: TensorName) -> String? {
    name.text.hasSuffix("mask_token") ? "hides patches in training" : nil
  }

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Dinov2? {
    guard let reader = try VisionReader(files, modelTypes: modelTypes) else { return nil }
    let hasRegisters = reader.config["model_type"]?.string == withRegisters
    try VisionKeys.rules(understood + (hasRegisters ? ["num_register_tokens"] : []))
      .check(reader.config)
    let stem = "\(hasRegisters ? withRegisters : name)."
    let prefix = VisionPrefix.find(["", stem], before: "embeddings.cls_token", weights)
    let kind = hasRegisters ? "Dinov2WithRegisters" : "Dinov2"
    let head = try ImageHead(
      reader.config, className: "\(kind)ForImageClassification", prefix: prefix, weights)
    let registerTokens: TensorName = "\(prefix)embeddings.register_tokens"
    let registers =
      hasRegisters
      ? try reader.registers(registerTokens, usual: 4, weights) : (registerTokens, 0)
    return Dinov2(
      vision: VisionTransformer(
        image: try reader.image(), blocks: try blocks(reader, prefix),
        patches: "\(prefix)embeddings.patch_embeddings.projection",
        classVector: "\(prefix)embeddings.cls_token",
        registers: registers,
        positions: .table(
          "\(prefix)embeddings.position_embeddings", grid: try reader.trainedGrid(),
          resampling: hasRegisters ? .smoothCubic : .cubic),
        lastNorm: "\(prefix)layernorm", end: .classToken
      ).classifying(head, .classAndMean),
      describingFiles: reader.describingFiles)
  }

  private static func blocks(_ reader: VisionReader, _ prefix: String) throws -> VisionBlocks {
    let (heads, width) = try reader.heads((12, 768))
    let hasBias = try reader.flag("qkv_bias", true)
    func layer(_ name: String) -> VisionBlocks.Layer {
      VisionBlocks.Layer(name: "attention.attention.\(name)", hasBias: hasBias)
    }
    let isGated = try reader.flag("use_swiglu_ffn", false)
    let wide = try inner(reader, width)
    return VisionBlocks(
      layers: try reader.layers(), heads: heads, width: width,
      // The library rounds two thirds of the width up to a multiple of 8.
      intermediate: isGated ? (wide * 2 / 3 + 7) / 8 * 8 : wide,
      activation: isGated ? .silu : try TransformerActivation(reader.config, key: "hidden_act"),
      epsilon: Float(try reader.number("layer_norm_eps", 1e-6)),
      prefix: "\(prefix)encoder.layer.", firstNorm: "norm1",
      attention: .separate(query: layer("query"), key: layer("key"), value: layer("value")),
      attentionOutput: .init(name: "attention.output.dense"), secondNorm: "norm2",
      feedForward: isGated
        ? .joined(both: .init(name: "mlp.weights_in"), narrow: .init(name: "mlp.weights_out"))
        : .plain(wide: .init(name: "mlp.fc1"), narrow: .init(name: "mlp.fc2")),
      scales: ("layer_scale1.lambda1", "layer_scale2.lambda1"))
  }

  /// The width times the ratio, rounded down.
  private static func inner(_ reader: VisionReader, _ width: Int) throws -> Int {
    let ratio = try reader.number("mlp_ratio", 4)
    guard ratio > 0, ratio <= 64, Int(Double(width) * ratio) > 0 else {
      throw reader.config.error(
        "'mlp_ratio' is \(ratio), expected 0...64", at: reader.config.position)
    }
    return Int(Double(width) * ratio)
  }
}
