import Imaging
import StrictJSON
import Weights

/// Reads OpenCLIP's `open_clip_config.json`.
struct OpenClip {
  let root: JSONObject
  let model: JSONObject

  static let configName = "open_clip_config.json"

  /// Nil without such a file.
  init?(_ files: ModelFiles) throws {
    guard let root = try files.object(Self.configName) else { return nil }
    self.root = root
    model = try root.object("model_cfg")
  }

  /// - Parameters:
  ///   - textRoot: prefix of the text encoder's names.
  ///   - weights: say how wide an image encoder of timm is.
  func encoder(
    _ kind: EncoderKind, textRoot: String, weights: any WeightSource
  ) throws -> ClipEncoder {
    let isImage = kind == .image
    let part = try model.object(isImage ? "vision_cfg" : "text_cfg")
    try PreprocessorKeys.check(openCLIP: root)
    try OpenClipKeys.check(model: model)
    let isTimm = isImage && part.has("timm_model_name") && part["timm_model_name"]?.string != ""
    guard !isTimm else {
      try OpenClipKeys.check(tower: part)
      return try tower(part, weights)
    }
    try OpenClipKeys.check(kind, part)
    if isImage, part["layers"]?.array != nil { return try residual(part) }
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
      width: width, intermediate: Int(Double(width) * ratio),
      activation: try quickGelu ? .sigmoidApproximation : .exact, epsilon: 1e-5)
    try transformer.check(part)
    return ClipEncoder(
      part: isImage ? .image(try image(part)) : .text(try text(part)), transformer: transformer,
      projection: try model.integer("embed_dim", in: 1...1 << 20),
      names: .openCLIP(kind, textRoot: textRoot),
      describingFiles: [Self.configName] + (isImage ? [] : ["tokenizer.json"]))
  }

  private var quickGelu: Bool {
    get throws { model.has("quick_gelu") ? try model.bool("quick_gelu") : false }
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

  private func image(_ part: JSONObject) throws -> ClipEncoder.Image {
    let (height, width) = try sides(part)
    return try ClipEncoder.Image(
      width: width, height: height,
      patch: try integer("patch_size", of: part, 16, in: 1...1 << 12),
      normalisation: try PixelNormalisation(
        openCLIP: root.has("preprocess_cfg") ? try root.object("preprocess_cfg") : nil), part)
  }

  /// Height and width: a number for both, or a list of two.
  func sides(_ part: JSONObject) throws -> (height: Int, width: Int) {
    guard let list = part["image_size"]?.array else {
      let side = try integer("image_size", of: part, 224, in: 1...1 << 14)
      return (side, side)
    }
    let sides = list.compactMap(\.integer).filter { (1...1 << 14).contains($0) }
    guard list.count == 2, sides.count == 2 else {
      throw part.mismatch(
        "image_size", expected: "a number or two", try part.required("image_size"))
    }
    return (sides[0], sides[1])
  }

  private func text(_ part: JSONObject) throws -> ClipEncoder.Text {
    let vocabulary = try integer("vocab_size", of: part, 49408, in: 1...1 << 24)
    // OpenCLIP takes the place of the highest token, which is the end token.
    let length = try integer("context_length", of: part, 77, in: 2...ClipEncoder.maxPositions)
    return ClipEncoder.Text(
      vocabulary: vocabulary, positions: length, length: length, end: Int32(vocabulary - 1),
      isCausal: part.has("no_causal_mask") ? try !part.bool("no_causal_mask") : true)
  }
}
