import StrictJSON
import Weights

/// Hugging Face's `ViTModel`: its pooler's vector, or, without a pooler, that of the class token; and
/// `ViTForImageClassification`.
///
/// Source: Dosovitskiy et al. 2020, arXiv:2010.11929, in the layout of transformers.
package struct Vit: VisionArchitecture {
  package static let name = "vit"
  package static let modelTypes = [name]
  package static let signature = "config.json with \"model_type\": \"vit\""

  let vision: VisionTransformer
  package let describingFiles: [String]

  private static let rules = VisionKeys.rules([
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "hidden_act",
    "layer_norm_eps", "image_size", "patch_size", "num_channels", "qkv_bias", "pooler_act",
    "pooler_output_size",
  ])

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Vit? {
    guard let reader = try VisionReader(files, modelTypes: modelTypes) else { return nil }
    try rules.check(reader.config)
    let prefix = VisionPrefix.find(["", "vit."], before: "embeddings.cls_token", weights)
    let head = try ImageHead(
      reader.config, className: "ViTForImageClassification", prefix: prefix, weights)
    let image = try reader.image()
    try reader.requireTrainedSize(image)
    return Vit(
      vision: VisionTransformer(
        image: image, blocks: try blocks(reader, prefix),
        patches: "\(prefix)embeddings.patch_embeddings.projection",
        classVector: "\(prefix)embeddings.cls_token",
        positions: .table(
          "\(prefix)embeddings.position_embeddings", grid: try reader.trainedGrid(),
          resampling: .never),
        lastNorm: "\(prefix)layernorm", end: try end(reader, prefix, weights)
      ).classifying(head, .classToken),
      describingFiles: reader.describingFiles)
  }

  private static func blocks(_ reader: VisionReader, _ prefix: String) throws -> VisionBlocks {
    let (heads, width) = try reader.heads((12, 768))
    let hasBias = try reader.flag("qkv_bias", true)
    func layer(_ name: String) -> VisionBlocks.Layer {
      VisionBlocks.Layer(name: "attention.attention.\(name)", hasBias: hasBias)
    }
    return VisionBlocks(
      layers: try reader.layers(), heads: heads, width: width,
      intermediate: try reader.integer("intermediate_size", 3072, in: 1...1 << 20),
      activation: try TransformerActivation(reader.config, key: "hidden_act"),
      epsilon: Float(try reader.number("layer_norm_eps", 1e-12)),
      prefix: "\(prefix)encoder.layer.", firstNorm: "layernorm_before",
      attention: .separate(query: layer("query"), key: layer("key"), value: layer("value")),
      attentionOutput: .init(name: "attention.output.dense"), secondNorm: "layernorm_after",
      feedForward: .plain(
        wide: .init(name: "intermediate.dense"), narrow: .init(name: "output.dense")))
  }

  private static func end(
    _ reader: VisionReader, _ prefix: String, _ weights: any WeightSource
  ) throws -> VisionTransformer.End {
    let name = "\(prefix)pooler.dense"
    guard weights.shape(of: TensorName("\(name).weight")) != nil else { return .classToken }
    let width = try reader.integer("hidden_size", 768, in: 1...1 << 20)
    let config = reader.config
    return .pooler(
      name: name,
      width: config["pooler_output_size"]?.isNull == false
        ? try reader.integer("pooler_output_size", width, in: 1...1 << 20) : width,
      activation: config.has("pooler_act")
        ? try TransformerActivation(config, key: "pooler_act") : .tanh)
  }
}
