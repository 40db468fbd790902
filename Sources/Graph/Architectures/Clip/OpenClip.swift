import Imaging
import StrictJSON
import Weights

/// Reads OpenCLIP's `open_clip_config.json`.
struct OpenClip {
  let root: JSONObject
  let model: JSONObject
  let files: ModelFiles

  static let configName = "open_clip_config.json"

  /// Nil without such a file.
  init?(_ files: ModelFiles) throws {
    guard let root = try files.object(Self.configName) else { return nil }
    self.root = root
    self.files = files
    model = try root.object("model_cfg")
  }

  /// - Parameter textRoot: prefix of the text encoder's names.
  func encoder(
    _ kind: EncoderKind, textRoot: String, weights: any WeightSource
  ) throws -> ClipEncoder {
    let part = try model.object(kind == .image ? "vision_cfg" : "text_cfg")
    try PreprocessorKeys.check(openCLIP: root)
    try OpenClipKeys.check(model: model)
    try OpenClipKeys.check(kind, part)
    guard kind == .image else { return try text(part, root: textRoot) }
    if try word("timm_model_name", of: part, "") != "" { return try tower(part, weights) }
    if part["layers"]?.array != nil { return try residual(part) }
    return try ClipEncoder(
      part: .image(image(part)), transformer: transformer(.image, part), projection: projection,
      names: .openCLIP(.image, textRoot: textRoot),
      describingFiles: [Self.configName])
  }

  /// Numbers of an embedding.
  var projection: Int { get throws { try model.integer("embed_dim", in: 1...1 << 20) } }

  /// How pixels are scaled.
  var normalisation: PixelNormalisation {
    get throws {
      try PixelNormalisation(
        openCLIP: root.has("preprocess_cfg") ? try root.object("preprocess_cfg") : nil)
    }
  }

  /// The blocks of either half.
  func transformer(_ kind: EncoderKind, _ part: JSONObject) throws -> ClipEncoder.Transformer {
    let isImage = kind == .image
    let width = try integer("width", of: part, isImage ? 768 : 512, in: 1...1 << 20)
    let ratio = part.has("mlp_ratio") ? try part.double("mlp_ratio") : 4
    guard ratio > 0, ratio <= 64 else {
      throw part.error("'mlp_ratio' is \(ratio), expected 0...64", at: part.position)
    }
    let transformer = ClipEncoder.Transformer(
      layers: try integer("layers", of: part, 12, in: 1...1000),
      heads: isImage
        ? max(1, width / (try integer("head_width", of: part, 64, in: 1...1 << 12)))
        : try integer("heads", of: part, 8, in: 1...1 << 12),
      width: width, intermediate: Int(Double(width) * ratio), activation: try activation(part),
      epsilon: try epsilon(part), hasScales: part.has("ls_init_value"))
    try transformer.check(part)
    return transformer
  }

  private func activation(_ part: JSONObject) throws -> Gelu.Mode {
    let isQuick = model.has("quick_gelu") ? try model.bool("quick_gelu") : false
    guard part.has("act_kwargs") else { return isQuick ? .sigmoidApproximation : .exact }
    let options = try part.object("act_kwargs")
    try OpenClipKeys.activation.check(options)
    let word = try self.word("approximate", of: options, "none")
    guard !isQuick || options.members.isEmpty, ["none", "tanh"].contains(word) else {
      throw ModelError.unsupported(
        place: "\(root.origin): 'act_kwargs'", found: isQuick ? "an option" : "'\(word)'",
        supported: isQuick ? "none beside quick_gelu" : "none, tanh")
    }
    return isQuick ? .sigmoidApproximation : word == "tanh" ? .tanhApproximation : .exact
  }

  private func epsilon(_ part: JSONObject) throws -> Float {
    guard part.has("norm_kwargs") else { return 1e-5 }
    let options = try part.object("norm_kwargs")
    try OpenClipKeys.norm.check(options)
    return options.has("eps") ? Float(try options.double("eps")) : 1e-5
  }

  func integer(
    _ key: String, of part: JSONObject, _ usual: Int, in range: ClosedRange<Int>
  ) throws -> Int {
    guard part.has(key) else { return usual }
    guard part[key]?.array == nil else {
      throw ModelError.unsupported(
        place: "\(root.origin): '\(key)'", found: "a list (a convolutional network)",
        supported: "a number (a vision transformer)")
    }
    return try part.integer(key, in: range)
  }

  func word(_ key: String, of part: JSONObject, _ usual: String) throws -> String {
    part.has(key) ? try part.string(key) : usual
  }

  func flag(_ key: String, of part: JSONObject) throws -> Bool {
    part.has(key) ? try part.bool(key) : false
  }

  func unsupported(_ key: String, _ found: String, _ supported: String) -> ModelError {
    .unsupported(place: "\(root.origin): '\(key)'", found: "'\(found)'", supported: supported)
  }
}
