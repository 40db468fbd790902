import StrictJSON
package import Weights

/// Hugging Face's `DINOv3ViTModel`: the vector of the class token, which the library calls
/// `pooler_output`.
///
/// Source: Siméoni et al. 2025, arXiv:2508.10104, in the layout of transformers.
package struct Dinov3: VisionArchitecture {
  package static let name = "dinov3"
  package static let modelTypes = ["dinov3_vit"]
  package static let signature = "config.json with \"model_type\": \"dinov3_vit\""

  let vision: VisionTransformer
  package let describingFiles: [String]

  private static let rules = VisionKeys.rules([
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
    "layer_norm_eps", "image_size", "patch_size", "num_channels", "query_bias", "key_bias",
    "value_bias", "proj_bias", "mlp_bias", "use_gated_mlp", "num_register_tokens", "rope_theta",
  ])

  package func role(ofUnused name: TensorName) -> String? {
    name.text.hasSuffix("mask_token") ? "hides patches in training" : nil
  }

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Dinov3? {
    guard let reader = try VisionReader(files, modelTypes: modelTypes) else { return nil }
    try rules.check(reader.config)
    let base = try reader.number("rope_theta", 100)
    guard base > 0 else {
      throw reader.config.error(
        "'rope_theta' is \(base), expected a positive number", at: reader.config.position)
    }
    return Dinov3(
      vision: VisionTransformer(
        image: try reader.image(), blocks: try blocks(reader, weights),
        patches: "embeddings.patch_embeddings", classVector: "embeddings.cls_token",
        registers: try reader.registers("embeddings.register_tokens", usual: 0, weights),
        positions: .rotary(base: base), lastNorm: "norm", end: .classToken),
      describingFiles: reader.describingFiles)
  }

  private static func blocks(
    _ reader: VisionReader, _ weights: any WeightSource
  ) throws -> VisionBlocks {
    let (heads, width) = try reader.heads((6, 384))
    guard (width / heads).isMultiple(of: 4) else {
      throw reader.config.error(
        "heads have \(width / heads) numbers, expected a multiple of 4", at: reader.config.position)
    }
    func layer(_ name: String, _ key: String, _ usual: Bool = true) throws -> VisionBlocks.Layer {
      VisionBlocks.Layer(name: name, hasBias: try reader.flag(key, usual))
    }
    let (wide, narrow) = (
      try layer("mlp.up_proj", "mlp_bias"), try layer("mlp.down_proj", "mlp_bias")
    )
    return VisionBlocks(
      layers: try reader.layers(), heads: heads, width: width,
      intermediate: try reader.integer("intermediate_size", 1536, in: 1...1 << 20),
      activation: try TransformerActivation(reader.config, key: "hidden_act"),
      epsilon: Float(try reader.number("layer_norm_eps", 1e-5)),
      prefix: VisionPrefix.find(["layer.", "model.layer."], before: "0.norm1.weight", weights),
      firstNorm: "norm1",
      attention: .separate(
        query: try layer("attention.q_proj", "query_bias"),
        key: try layer("attention.k_proj", "key_bias", false),
        value: try layer("attention.v_proj", "value_bias")),
      attentionOutput: try layer("attention.o_proj", "proj_bias"), secondNorm: "norm2",
      feedForward: try reader.flag("use_gated_mlp", false)
        ? .gated(gate: try layer("mlp.gate_proj", "mlp_bias"), wide: wide, narrow: narrow)
        : .plain(wide: wide, narrow: narrow),
      scales: ("layer_scale1.lambda1", "layer_scale2.lambda1"))
  }
}
