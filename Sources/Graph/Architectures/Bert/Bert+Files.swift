import StrictJSON

extension Bert {
  private static let configName = "config.json"

  package static func recognise(_ files: ModelFiles, weights: any WeightSource) throws -> Bert? {
    let entries = try SentenceModules.entries(files)
    let transformer = entries?.first { $0.kind == .transformer }
    let path = transformer?.file(configName) ?? configName
    guard let config = try files.object(path), config["model_type"]?.string == name else {
      return nil
    }
    let shape = try BertShape(config, weights: weights)
    guard let entries else { throw files.missingPooling(width: shape.hidden) }
    let modules = try SentenceModules(entries, files, hidden: shape.hidden)
    try refuseAdapter(files, of: modules.transformer)
    let tokenizer = try SentenceTokenizerFiles(files, in: modules.transformer.path)
    let length =
      try modules.settings.statedLength(files, positions: shape.positions)
      ?? min(try tokenizer.maximumLength() ?? shape.positions, shape.positions)
    let bert = Bert(
      shape: shape, sentence: modules, maximumLength: length,
      describingFiles: [path] + modules.files + tokenizer.names,
      excludedTokens: try modules.excludedTokens(files, maximumLength: length))
    try bert.check(weights, of: config.origin)
    return bert
  }

  /// Refuses adapter weights, which would be added to the model's own.
  private static func refuseAdapter(
    _ files: ModelFiles, of transformer: SentenceModuleEntry
  ) throws {
    let name = "adapter_config.json"
    // The library looks for it in the model's own folder, even if the transformer is in another.
    for path in [transformer.file(name), name] {
      guard try files.bytes(of: path) != nil else { continue }
      throw ModelError.unsupported(
        place: files.name(of: path), found: "an adapter beside the weights",
        supported: "models it was merged into (merge_and_unload)")
    }
  }
}
