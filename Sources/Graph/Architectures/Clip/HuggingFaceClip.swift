import StrictJSON
import Tokenization

/// Reads Hugging Face's `config.json` of a CLIP model, or of one half of it.
struct HuggingFaceClip {
  /// The configuration of the whole model, or of the half.
  private let config: JSONObject
  private let files: ModelFiles

  private static let configName = "config.json"

  /// Nil if the files are of something else.
  init?(_ files: ModelFiles) throws {
    guard let config = try files.object(Self.configName),
      let type = config["model_type"]?.string, ClipEncoder.modelTypes.contains(type)
    else { return nil }
    self.config = config
    self.files = files
  }

  func encoder(_ kind: EncoderKind) throws -> ClipEncoder {
    let part = try section(kind)
    let epsilon =
      part.object.has("layer_norm_eps") ? try part.object.double("layer_norm_eps") : 1e-5
    let isImage = kind == .image
    let transformer = ClipEncoder.Transformer(
      layers: try part.integer("num_hidden_layers", 12, in: 1...1000),
      heads: try part.integer("num_attention_heads", isImage ? 12 : 8, in: 1...1 << 12),
      width: try part.integer("hidden_size", isImage ? 768 : 512, in: 1...1 << 20),
      intermediate: try part.integer("intermediate_size", isImage ? 3072 : 2048, in: 1...1 << 20),
      activation: try activation(part), epsilon: Float(epsilon))
    try transformer.check(part.object)
    let (half, preparing) = try isImage ? image(part) : text(part)
    return ClipEncoder(
      part: half, transformer: transformer, projection: try projection(part),
      names: .huggingFace(kind), describingFiles: [Self.configName] + preparing)
  }

  /// Whether a file says how images become the model's input.
  var preparesImages: Bool {
    get throws { try ImagePreprocessing(files) != nil }
  }

  private var isWhole: Bool { config["model_type"]?.string == "clip" }

  /// The half's own number counts only in a file of that half.
  private func projection(_ part: ConfigSection) throws -> Int {
    try (isWhole ? ConfigSection(object: config) : part).integer(
      "projection_dim", 512, in: 1...1 << 20)
  }

  /// The half's own configuration.
  ///
  /// Files of the first years hold another one in `…_config_dict`: the library then reads that,
  /// with its defaults for absent keys, and ignores the first.
  private func section(_ kind: EncoderKind) throws -> ConfigSection {
    let name = kind == .image ? "vision_config" : "text_config"
    guard isWhole else {
      try ClipKeys.check(kind, config)
      return ConfigSection(object: config)
    }
    try ClipKeys.check(whole: config)
    let parts = try [name, "\(name)_dict"].filter { config.has($0) }.map { try config.object($0) }
    guard let last = parts.last else {
      throw config.error("the key '\(name)' is missing", at: config.position)
    }
    for part in parts { try ClipKeys.check(kind, part) }
    return ConfigSection(object: last)
  }

  private func activation(_ part: ConfigSection) throws -> Gelu.Mode {
    switch try part.string("hidden_act", "quick_gelu") {
    case "gelu": return .exact
    case "quick_gelu": return .sigmoidApproximation
    case "gelu_new", "gelu_pytorch_tanh": return .tanhApproximation
    case let word:
      throw ModelError.unsupported(
        place: "\(config.origin): 'hidden_act'", found: "'\(word)'",
        supported: "gelu, quick_gelu, gelu_new, gelu_pytorch_tanh")
    }
  }

  /// The half, and the file that says how its inputs are made.
  private func image(_ part: ConfigSection) throws -> (ClipEncoder.Part, [String]) {
    guard let preprocessing = try ImagePreprocessing(files) else {
      throw try ModelError.noImagePreprocessing(files)
    }
    guard try part.integer("num_channels", 3, in: 1...16) == 3 else {
      throw ModelError.unsupported(
        place: "\(config.origin): 'num_channels'", found: "another number than 3", supported: "3")
    }
    let side = try part.integer("image_size", 224, in: 1...1 << 14)
    let image = try ClipEncoder.Image(
      width: side, height: side,
      patch: try part.integer("patch_size", 32, in: 1...1 << 12),
      normalisation: try PixelNormalisation(huggingFace: preprocessing.settings), config)
    return (.image(image), [preprocessing.path])
  }

  /// The tokenizer's files: `tokenizer.json`, which is required, and those that exist.
  private func tokenizerFiles() throws -> [String] {
    let name = TokenizerFiles.Name.tokenizer.rawValue
    return try [name] + SentenceTokenizerFiles(files, in: "").names.filter { $0 != name }
  }

  /// The half, and the files that say how its inputs are made.
  private func text(_ part: ConfigSection) throws -> (ClipEncoder.Part, [String]) {
    let vocabulary = try part.integer("vocab_size", 49408, in: 1...1 << 24)
    let end = try part.integer("eos_token_id", 49407, in: 0...1 << 24)
    // Files of the first years say 2 and mean the highest token there is.
    let isLegacy = end == 2
    guard isLegacy || end < vocabulary else {
      throw config.error(
        "'eos_token_id' is \(end), 'vocab_size' is \(vocabulary)", at: part.object.position)
    }
    let positions = try part.integer(
      "max_position_embeddings", 77, in: 2...ClipEncoder.maxPositions)
    let length = try SentenceTokenizerFiles(files, in: "").maximumLength() ?? positions
    let text = ClipEncoder.Text(
      vocabulary: vocabulary, positions: positions, length: min(length, positions),
      pooling: .end(Int32(isLegacy ? vocabulary - 1 : end)))
    return (.text(text), try tokenizerFiles())
  }
}

/// An object whose absent keys have the values of the library that reads them.
private struct ConfigSection {
  let object: JSONObject

  func integer(_ key: String, _ usual: Int, in range: ClosedRange<Int>) throws(JSONError) -> Int {
    object.has(key) ? try object.integer(key, in: range) : usual
  }

  func string(_ key: String, _ usual: String) throws(JSONError) -> String {
    object.has(key) ? try object.string(key) : usual
  }
}

extension ClipEncoder.Transformer {
  /// Refuses heads that do not divide the width.
  func check(_ config: JSONObject) throws(JSONError) {
    guard width.isMultiple(of: heads) else {
      throw config.error(
        "the width \(width) is not a multiple of \(heads) heads", at: config.position)
    }
  }
}

extension ClipEncoder.Image {
  /// Refuses patches that do not fill the image.
  init(
    width: Int, height: Int, patch: Int, normalisation: PixelNormalisation, _ config: JSONObject
  ) throws(JSONError) {
    for side in [height, width] where !side.isMultiple(of: patch) {
      throw config.error(
        "the image size \(side) is not a multiple of the patch size \(patch)", at: config.position)
    }
    self.init(width: width, height: height, patch: patch, normalisation: normalisation)
  }
}
