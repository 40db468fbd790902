import StrictJSON

/// The part `model` of a byte-pair tokenizer's `tokenizer.json`.
extension TokenizerFile {
  private static let modelKeys = KeyRules(
    understood: [
      "type", "vocab", "merges", "unk_token", "dropout", "continuing_subword_prefix",
      "end_of_word_suffix", "fuse_unk", "byte_fallback", "ignore_merges",
    ],
    nullable: .any)

  /// Reads `model`, which must be byte pairs; for OpenCLIP in CLIP's form.
  ///
  /// - Throws: what is malformed, contradicts itself, or depends on chance.
  func bytePairModel(_ cleaning: TextCleaning) throws(PreprocessingError) -> BytePairModel {
    let (part, type) = try model()
    guard type == BytePairTokenizer.modelType else {
      throw part.unsupported("model", type, at: "type", known: [BytePairTokenizer.modelType])
    }
    // Without effect are null and 0.
    if let node = part["dropout"], !node.isNull, node.double != 0 {
      throw part.unsupported("dropout of model 'BPE'", node.kind, at: "dropout", known: ["null"])
    }
    if cleaning == .openCLIP { try checkOpenCLIP(part) }
    return try reading { () throws(JSONError) in
      try TokenizerFile.modelKeys.check(part)
      let model = try BytePairReader(part, isOrdered: cleaning == .openCLIP)
        .model(vocabulary(part.object("vocab")))
      if cleaning == .openCLIP { try checkBytes(of: model, part) }
      return model
    }
  }

  // MARK: OpenCLIP

  /// Refuses settings that OpenCLIP's own tokenizer does not have.
  private func checkOpenCLIP(_ part: JSONObject) throws(PreprocessingError) {
    for key in ["byte_fallback", "ignore_merges"] {
      guard let node = part[key], !node.isNull, node.bool != false else { continue }
      throw part.unsupported("\(key) of model 'BPE'", node.kind, at: key, known: ["false"])
    }
    let (prefix, suffix) = try reading { () throws(JSONError) in
      (
        part.has("continuing_subword_prefix") ? try part.string("continuing_subword_prefix") : "",
        part.has("end_of_word_suffix") ? try part.string("end_of_word_suffix") : ""
      )
    }
    guard prefix.isEmpty else {
      throw part.unsupported(
        "continuing_subword_prefix of model 'BPE'", prefix, at: "continuing_subword_prefix",
        known: ["none"])
    }
    guard ExactString(suffix) == ExactString(BytePairTokenizer.wordEnd) else {
      throw part.unsupported(
        "end_of_word_suffix of model 'BPE'", suffix, at: "end_of_word_suffix",
        known: [BytePairTokenizer.wordEnd])
    }
  }

  /// Refuses a vocabulary that lacks a byte: OpenCLIP spells every word.
  private func checkBytes(of model: BytePairModel, _ part: JSONObject) throws(JSONError) {
    for suffix in ["", BytePairTokenizer.wordEnd] {
      for (byte, scalar) in ByteAlphabet.scalars.enumerated() {
        let token = (Unicode.Scalar(scalar).map { String($0) } ?? "") + suffix
        guard model.vocabulary.id(of: token) == nil else { continue }
        throw part.error(
          "byte \(byte) has no token: '\(token)' is not in the vocabulary",
          at: try part.required("vocab").position)
      }
    }
  }
}
