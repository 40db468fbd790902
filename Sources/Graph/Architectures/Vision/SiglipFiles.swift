import StrictJSON
import Tokenization
import Weights

/// Reads the files of a SigLIP model as transformers saves it, or of one half.
enum SiglipFiles {
  private static let configName = "config.json"

  private static let whole = VisionKeys.rules(["text_config", "vision_config"])
  private static let shared = [
    "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "hidden_act",
    "layer_norm_eps",
  ]
  private static let imageRules = VisionKeys.rules(
    shared + ["num_channels", "image_size", "patch_size"],
    neutral: ["vision_use_head": [.bool(true)]])
  private static let textRules = VisionKeys.rules(
    shared + ["vocab_size", "max_position_embeddings", "projection_size"])

  /// A half's configuration, and that of the whole model if there is one.
  private struct Half: ConfigurationReader {
    let config: JSONObject
  }

  /// Nil if the files are of something else.
  private static func half(_ kind: EncoderKind, _ files: ModelFiles) throws -> Half? {
    guard let root = try files.object(configName), let type = root["model_type"]?.string,
      Siglip.modelTypes.contains(type)
    else { return nil }
    let rules = kind == .image ? imageRules : textRules
    guard type == Siglip.name else {
      try rules.check(root)
      return Half(config: root)
    }
    try whole.check(root)
    let half = try root.object(kind == .image ? "vision_config" : "text_config")
    try rules.check(half)
    return Half(config: half)
  }

  /// The image encoder; nil if the files are of something else.
  ///
  /// - Parameter root: the prefix of its names.
  static func image(
    _ files: ModelFiles, _ root: String, _ weights: any WeightSource
  ) throws -> Siglip? {
    guard let half = try half(.image, files),
      let reader = try VisionReader(files, modelTypes: Siglip.modelTypes, of: half.config)
    else { return nil }
    let image = try reader.image()
    try reader.requireTrainedSize(image)
    let head = "\(root)head."
    let classifier = try files.object(configName).flatMap { (config) throws in
      try ImageHead(config, className: "SiglipForImageClassification", prefix: root, weights)
    }
    let vision = VisionTransformer(
      image: image, blocks: try blocks(half, "\(root)encoder.layers."),
      patches: "\(root)embeddings.patch_embedding",
      positions: .table(
        "\(root)embeddings.position_embedding.weight", grid: try reader.trainedGrid(),
        resampling: .never),
      lastNorm: "\(root)post_layernorm",
      end: .attention(
        .init(
          query: "\(head)probe",
          projections: .joined(
            matrix: "\(head)attention.in_proj_weight", bias: "\(head)attention.in_proj_bias"),
          output: "\(head)attention.out_proj", norm: "\(head)layernorm",
          wide: "\(head)mlp.fc1", narrow: "\(head)mlp.fc2")), isUnit: true
    ).classifying(classifier, .mean)
    return Siglip(part: .image(vision), describingFiles: reader.describingFiles)
  }

  /// The text encoder; nil if the files are of something else.
  ///
  /// - Parameter root: the prefix of its names.
  static func text(_ files: ModelFiles, _ root: String) throws -> Siglip? {
    guard let half = try half(.text, files) else { return nil }
    let vocabulary = try half.integer("vocab_size", 32000, in: 1...1 << 24)
    let width = try half.integer("hidden_size", 768, in: 1...1 << 20)
    let projection =
      half.config["projection_size"]?.isNull == false
      ? try half.integer("projection_size", width, in: 1...1 << 20) : width
    let text = SiglipText(
      vocabulary: vocabulary,
      length: try half.integer("max_position_embeddings", 64, in: 2...1 << 13),
      padding: try padding(files, vocabulary), projection: projection,
      blocks: try blocks(half, "\(root)encoder.layers."), root: root)
    let tokenizer = try SentenceTokenizerFiles(files, in: "")
    return Siglip(part: .text(text), describingFiles: [configName] + tokenizer.names)
  }

  /// The token that the tokenizer fills texts up with: the model sees it.
  private static func padding(_ files: ModelFiles, _ vocabulary: Int) throws -> Int32 {
    let found = try files.tokenizerFiles(in: "")
    guard found.hasTokenizer(for: .asFileSays) else {
      throw ModelError.missingTokenizer(origin: files.origin, isPackage: false)
    }
    let tokenizer = try TextTokenizers.read(found, cleaning: .asFileSays)
    let padding = tokenizer.paddingID
    guard padding >= 0, padding < vocabulary else {
      throw ModelError.unsupported(
        place: files.name(of: "tokenizer.json"), found: "padding with the token \(padding)",
        supported: "a token of the model's \(vocabulary)")
    }
    guard tokenizer.sides.padding == .right else {
      throw ModelError.unsupported(
        place: files.name(of: "tokenizer_config.json"), found: "padding on the left",
        supported: "padding on the right")
    }
    return padding
  }

  private static func blocks(_ half: Half, _ prefix: String) throws -> VisionBlocks {
    let (heads, width) = try half.heads((12, 768))
    func layer(_ name: String) -> VisionBlocks.Layer { .init(name: "self_attn.\(name)_proj") }
    return VisionBlocks(
      layers: try half.layers(), heads: heads, width: width,
      intermediate: try half.integer("intermediate_size", 3072, in: 1...1 << 20),
      activation: half.config.has("hidden_act")
        ? try TransformerActivation(half.config, key: "hidden_act") : .gelu(.tanhApproximation),
      epsilon: Float(try half.number("layer_norm_eps", 1e-6)), prefix: prefix,
      firstNorm: "layer_norm1",
      attention: .separate(query: layer("q"), key: layer("k"), value: layer("v")),
      attentionOutput: layer("out"), secondNorm: "layer_norm2",
      feedForward: .plain(wide: .init(name: "mlp.fc1"), narrow: .init(name: "mlp.fc2")))
  }
}
