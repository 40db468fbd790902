import Weights

/// The names of the weights of one CLIP encoder in one layout of files.
struct ClipNames: Sendable {
  /// A block's query, key and value: three linear layers, or one with their rows one after another.
  enum Attention: Sendable {
    case separate(query: String, key: String, value: String)
    case joined(weight: String, bias: String)
  }

  /// The last layer: none, a matrix stored [out, in] or [in, out], or a layer with a bias.
  enum Projection: Sendable {
    case none
    case outputMajor(TensorName)
    case inputMajor(TensorName)
    case layer(String)
  }

  /// The prefix of the number of a block.
  let blocks: String
  let firstNorm: String
  let secondNorm: String
  let attention: Attention
  let attentionOutput: String
  let wide: String
  let narrow: String
  let lastNorm: String
  var projection: Projection
  let positions: TensorName
  /// The token table, or the matrix of the patches.
  let inputs: TensorName
  /// Only of the image encoder: the vector before the patches, and the norm before the blocks.
  let classVector: TensorName
  let preNorm: String
  /// Prefixes of names that belong to the other encoder.
  let others: [String]
}

extension ClipNames {
  /// Hugging Face's `CLIPModel` and its halves.
  static func huggingFace(_ encoder: EncoderKind) -> ClipNames {
    let isImage = encoder == .image
    let root = isImage ? "vision_model" : "text_model"
    return ClipNames(
      blocks: "\(root).encoder.layers.", firstNorm: "layer_norm1", secondNorm: "layer_norm2",
      attention: .separate(
        query: "self_attn.q_proj", key: "self_attn.k_proj", value: "self_attn.v_proj"),
      attentionOutput: "self_attn.out_proj", wide: "mlp.fc1", narrow: "mlp.fc2",
      lastNorm: isImage ? "\(root).post_layernorm" : "\(root).final_layer_norm",
      projection: .outputMajor(isImage ? "visual_projection.weight" : "text_projection.weight"),
      positions: "\(root).embeddings.position_embedding.weight",
      inputs: "\(root).embeddings.\(isImage ? "patch" : "token")_embedding.weight",
      classVector: "\(root).embeddings.class_embedding",
      // The name is spelled so in every file.
      preNorm: "\(root).pre_layrnorm",
      others: isImage
        ? ["text_model.", "text_projection."] : ["vision_model.", "visual_projection."])
  }

  /// OpenCLIP's models; of those with a text encoder of their own class, its names begin `text.`.
  static func openCLIP(_ encoder: EncoderKind, textRoot: String) -> ClipNames {
    let isImage = encoder == .image
    let root = isImage ? "visual." : textRoot
    return ClipNames(
      blocks: "\(root)transformer.resblocks.", firstNorm: "ln_1", secondNorm: "ln_2",
      attention: .joined(weight: "attn.in_proj_weight", bias: "attn.in_proj_bias"),
      attentionOutput: "attn.out_proj", wide: "mlp.c_fc", narrow: "mlp.c_proj",
      lastNorm: isImage ? "visual.ln_post" : "\(root)ln_final",
      projection: .inputMajor(isImage ? "visual.proj" : "\(root)text_projection"),
      positions: "\(root)positional_embedding",
      inputs: isImage ? "visual.conv1.weight" : "\(root)token_embedding.weight",
      classVector: "visual.class_embedding", preNorm: "visual.ln_pre",
      others: isImage
        ? [
          "text.", "transformer.", "token_embedding.", "positional_embedding", "ln_final.",
          "text_projection",
        ] : ["visual."])
  }

  /// The purpose of a tensor that the encoder does not use; nil if unknown.
  func role(ofUnused name: TensorName) -> String? {
    switch name.text.split(separator: ".").last {
    case "attn_mask": return "causal mask, built anew with finite numbers"
    case "position_ids": return "numbers of positions"
    case "num_batches_tracked": return "counts batches of training"
    case "logit_scale", "logit_bias": return "scale of training's loss"
    default: break
    }
    if name.text.hasPrefix("text_decoder.") { return "of the decoder that writes captions" }
    return others.contains { name.text.hasPrefix($0) } ? "of the other encoder" : nil
  }
}
