import StrictJSON

/// Reads tokenizer files of every kind that is supported.
package enum TextTokenizers {
  /// The tokenizer that a model's files make.
  ///
  /// Throws when a file is malformed or contradicts another, and when one asks for what is not
  /// supported here.
  ///
  /// - Parameters:
  ///   - files: have to hold a tokenizer (`hasTokenizer`).
  ///   - cleaning: `.openCLIP` for a model that OpenCLIP's own tokenizer prepares texts for; of its
  ///     files only `tokenizer.json` counts.
  ///   - lowercasing: of `TextPreparation`, of which `.normalizer` is done here.
  package static func read(
    _ files: TokenizerFiles, cleaning: TextCleaning = .asFileSays,
    lowercasing: TextPreparation.Lowercasing = .none
  ) throws(PreprocessingError) -> any TextTokenizer {
    guard let file = files[.tokenizer] else { preconditionFailure("no tokenizer") }
    return try read(json: file.bytes, origin: file.origin, cleaning: cleaning)
  }

  /// Reads a `tokenizer.json`; its `model` says which kind of tokenizer comes out.
  ///
  /// Throws when the text is malformed or contradicts itself, and when it uses a part that is not
  /// supported here.
  ///
  /// - Parameters:
  ///   - origin: the file the text came from, for messages.
  ///   - cleaning: `.openCLIP` for a model that OpenCLIP's own tokenizer prepares texts for; its
  ///     file has to be one of byte pairs.
  package static func read(
    json: [UInt8], origin: String, cleaning: TextCleaning
  ) throws(PreprocessingError) -> any TextTokenizer {
    let root = try reading { () throws(JSONError) in
      try JSONParser.parseObject(json, origin: origin)
    }
    let file = try TokenizerFile(root)
    let model = try reading { () throws(JSONError) in try root.object("model") }
    let type = try file.type(ofModel: model)
    switch (type, cleaning) {
    case ("BPE", _): return try file.bytePairTokenizer(cleaning)
    case ("WordPiece", .asFileSays): return try file.tokenizer()
    case (_, .asFileSays):
      throw model.unsupported("model", type, at: "type", known: ["BPE", "WordPiece"])
    case (_, .openCLIP):
      throw model.unsupported("model for OpenCLIP", type, at: "type", known: ["BPE"])
    }
  }
}
