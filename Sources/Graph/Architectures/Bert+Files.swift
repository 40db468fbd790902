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
    guard let entries else { throw missingModules(files) }
    let modules = try SentenceModules(entries, files, hidden: shape.hidden)
    try refuseUnbuilt(modules, files)
    let tokenizer = try SentenceTokenizerFiles(files, of: modules.transformer)
    let length =
      try modules.settings.statedLength(files, positions: shape.positions)
      ?? min(try tokenizer.maximumLength() ?? shape.positions, shape.positions)
    return Bert(
      shape: shape, sentence: modules, maximumLength: length,
      describingFiles: [path] + modules.files + tokenizer.names)
  }

  private static func refuseUnbuilt(
    _ modules: SentenceModules, _ files: ModelFiles
  ) throws(ModelError) {
    if let file = modules.settings.file, modules.settings.lowerCases {
      throw .unsupported(
        place: "\(files.name(of: file)): 'do_lower_case'", found: "true",
        supported: "lower-casing by tokenizer.json alone")
    }
    if let name = modules.prompts.prompts.chosen, !modules.prompts.prompts.text.isEmpty {
      throw .unsupported(
        place: "\(files.name(of: SentencePrompts.file)): 'default_prompt_name'",
        found: quoted(name), supported: "models without a default prompt")
    }
  }

  private static func missingModules(_ files: ModelFiles) -> ModelError {
    .missingFile(
      origin: files.origin, path: SentenceModules.file,
      mend: "it says how token vectors become a sentence vector; save the model with "
        + "sentence-transformers, or write one that lists Transformer, Pooling and Normalize")
  }
}
