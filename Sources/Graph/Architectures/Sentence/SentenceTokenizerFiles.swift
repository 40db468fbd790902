import StrictJSON

/// The tokenizer's files beside a transformer, and the length that they set.
struct SentenceTokenizerFiles {
  /// Those that are there, seen from the model's folder.
  let names: [String]
  private let configuration: JSONObject?

  private static let all = [
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
  ]

  init(_ files: ModelFiles, of transformer: SentenceModuleEntry) throws {
    var found = try Self.all.map(transformer.file).filter { try files.bytes(of: $0) != nil }
    let vocabulary = transformer.file("vocab.txt")
    // Where the whole tokenizer is there, the list of its pieces is not read.
    if !found.contains(transformer.file(Self.all[0])), try files.bytes(of: vocabulary) != nil {
      found.append(vocabulary)
    }
    names = found
    configuration = try files.object(transformer.file(Self.all[1]))
  }

  /// Tokens a text is cut to, as the library does: `max_seq_length` where it is there, else
  /// `model_max_length`, but no more than there are positions.
  func maximumLength(_ settings: TransformerSettings, positions: Int) throws -> Int {
    guard let stated = settings.maximumLength else {
      return min(try configuredLength() ?? positions, positions)
    }
    guard stated <= positions else {
      throw ModelError.unsupported(
        place: "\(settings.file ?? ""): 'max_seq_length'", found: "\(stated)",
        supported: "at most 'max_position_embeddings' of config.json, which is \(positions)")
    }
    return stated
  }

  /// The length in `tokenizer_config.json`; nil where it sets none, which the library writes as
  /// 10³⁰.
  private func configuredLength() throws -> Int? {
    guard let configuration else { return nil }
    for key in ["model_max_length", "max_len"] where configuration.has(key) {
      let node = try configuration.required(key)
      guard let value = node.double, value >= 1 else {
        throw configuration.mismatch(key, expected: "a positive number", node)
      }
      return value > Double(1 << 30) ? nil : Int(value)
    }
    return nil
  }
}
