package import Tokenization

extension ModelFiles {
  /// The preparation of texts that files beside a program describe.
  package func statedPreparation() throws -> TextPreparation {
    let settings = try TransformerSettings(self, in: "")
    return TextPreparation(
      prompt: try SentencePrompts(self).prompts.text,
      lowercasing: settings.lowerCases ? .normalizer : .none)
  }
}

extension SentenceModules {
  /// Number of tokens at the beginning of every text that the pooling skips: those of the prompt
  /// alone and those that the tokenizer puts before it, as the library counts them.
  func excludedTokens(_ files: ModelFiles, maximumLength: Int) throws -> Int {
    guard !pooling.includesPrompt, !preparation.prompt.isEmpty else { return 0 }
    let tokenizerFiles = try files.tokenizerFiles(in: transformer.path)
    guard tokenizerFiles.hasTokenizer(for: .asFileSays) else {
      throw ModelError.missingFile(
        origin: files.origin, path: transformer.file("tokenizer.json"),
        mend: "the pooling leaves out the prompt's tokens, which only the tokenizer can count")
    }
    let tokenizer = try TextTokenizers.read(
      tokenizerFiles, lowercasing: preparation.lowercasing)
    let prompt = tokenizer.ids(of: preparation.apply(to: ""), maximumLength: maximumLength)
    guard let end = tokenizer.ids(of: "", maximumLength: maximumLength).last, prompt.last == end
    else {
      throw ModelError.unsupported(
        place: files.name(of: transformer.file("tokenizer.json")),
        found: "a tokenizer that ends no text, under a pooling without the prompt,",
        supported: "one that ends every text with a token such as [SEP]")
    }
    return prompt.count - 1
  }

  /// The preparation of a text before the tokenizer sees it.
  var preparation: TextPreparation {
    TextPreparation(
      prompt: prompts.prompts.text, lowercasing: settings.lowerCases ? .normalizer : .none)
  }
}
