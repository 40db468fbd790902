import StrictJSON
import Tokenization

extension OpenClip {
  /// The text encoder that OpenCLIP builds itself.
  ///
  /// - Parameter root: prefix of its names.
  func text(_ part: JSONObject, root: String) throws -> ClipEncoder {
    let transformer = try transformer(.text, part)
    var names = ClipNames.openCLIP(.text, textRoot: root)
    var projection = try self.projection
    switch try word("proj_type", of: part, "linear") {
    case "linear":
      if try flag("proj_bias", of: part) { names.projection = .layer("\(root)text_projection") }
    case "none": (names.projection, projection) = (.none, transformer.width)
    case let other: throw unsupported("proj_type", other, "linear, none")
    }
    let tokenizer = try OpenClipTokenizer(self, part)
    return ClipEncoder(
      part: .text(try tower(of: part, tokenizer)), transformer: transformer,
      projection: projection, names: names,
      describingFiles: [Self.configName] + tokenizer.describingFiles,
      preparation: tokenizer.preparation)
  }

  private func tower(
    of part: JSONObject, _ tokenizer: OpenClipTokenizer
  ) throws -> ClipEncoder.Text {
    let vocabulary = try integer("vocab_size", of: part, 49408, in: 1...1 << 24)
    let length = try integer("context_length", of: part, 77, in: 2...ClipEncoder.maxPositions)
    let hasOwn = try flag("embed_cls", of: part)
    let isCausal = try !flag("no_causal_mask", of: part)
    let padding = try tokenizer.padding(below: vocabulary)
    if hasOwn {
      guard isCausal else { throw unsupported("no_causal_mask", "true", "false beside embed_cls") }
      let hidden = try integer("pad_id", of: part, 0, in: 0...1 << 24)
      guard hidden == padding else {
        throw unsupported("pad_id", "\(hidden)", "\(padding), with which texts are filled up")
      }
    }
    return ClipEncoder.Text(
      vocabulary: vocabulary, positions: hasOwn ? length + 1 : length, length: length,
      pooling: hasOwn ? .own : try pooling(part, vocabulary, tokenizer), isCausal: isCausal,
      padding: padding)
  }

  private func pooling(
    _ part: JSONObject, _ vocabulary: Int, _ tokenizer: OpenClipTokenizer
  ) throws -> ClipEncoder.TextPooling {
    switch try word("pool_type", of: part, "argmax") {
    case "argmax":
      // The place of the highest token, which is the end token of OpenCLIP's own tokenizer.
      guard tokenizer.isOwn else {
        throw unsupported("pool_type", "argmax", "eos, first, last beside 'hf_tokenizer_name'")
      }
      return .end(Int32(vocabulary - 1))
    case "eos":
      let end = try integer("eos_id", of: part, 2, in: 0...1 << 24)
      guard end < vocabulary else {
        throw part.error(
          "'eos_id' is \(end), 'vocab_size' is \(vocabulary)", at: part.position)
      }
      return .end(Int32(end))
    case "first": return .first
    case "last": return .last
    case let other: throw unsupported("pool_type", other, "argmax, eos, first, last")
    }
  }
}

/// What a text half's configuration says of its tokenizer.
struct OpenClipTokenizer {
  /// Whether it is OpenCLIP's own, and not one of Hugging Face.
  let isOwn: Bool
  let preparation: TextPreparation
  let describingFiles: [String]
  private let files: ModelFiles

  init(_ config: OpenClip, _ part: JSONObject) throws {
    files = config.files
    isOwn = try config.word("hf_tokenizer_name", of: part, "") == ""
    let options = part.has("tokenizer_kwargs") ? try part.object("tokenizer_kwargs") : nil
    if let options {
      try (isOwn ? OpenClipKeys.ownTokenizer : OpenClipKeys.tokenizer).check(options)
    }
    guard !isOwn else {
      (preparation, describingFiles) = (TextPreparation(), ["tokenizer.json"])
      return
    }
    // The type of model in config.json may say which class reads the tokenizer.
    let model = try files.bytes(of: "config.json") == nil ? [] : ["config.json"]
    describingFiles = try model + SentenceTokenizerFiles(files, in: "").names
    let word = try options.map { try config.word("clean", of: $0, "whitespace") } ?? "whitespace"
    guard let cleaning = TextPreparation.Cleaning(rawValue: word) else {
      throw config.unsupported(
        "clean", word, TextPreparation.Cleaning.allCases.map(\.rawValue).joined(separator: ", "))
    }
    let isZeroed = try options.map { try config.flag("strip_sep_token", of: $0) } ?? false
    preparation = TextPreparation(
      framing: isZeroed ? .zeroedSeparators : .specialTokens, cleaning: cleaning)
  }

  /// The token that fills short texts up.
  func padding(below vocabulary: Int) throws -> Int32 {
    guard !isOwn else { return 0 }
    let found = try files.tokenizerFiles(in: "")
    guard found.hasTokenizer(for: .asFileSays) else {
      throw ModelError.missingTokenizer(origin: files.origin, isPackage: false)
    }
    let tokenizer = try TextTokenizers.read(found, framing: preparation.framing)
    let padding = tokenizer.paddingID
    guard padding >= 0, padding < vocabulary else {
      throw ModelError.unsupported(
        place: files.name(of: "tokenizer.json"), found: "padding with the token \(padding)",
        supported: "a token of the model's \(vocabulary)")
    }
    guard tokenizer.sides.padding == .right else {
      throw ModelError.unsupported(
        place: files.name(of: "tokenizer_config.json"), found: "padding on the left",
        supported: "padding on the right, where OpenCLIP fills texts up")
    }
    return padding
  }
}
