package import Preprocessing

extension Architecture {
  /// Whether inputs are prepared as OpenCLIP prepares them, and not as Hugging Face's libraries.
  package var isPreparedAsOpenCLIP: Bool { describingFiles.contains("open_clip_config.json") }
}

extension Model {
  /// The tokenizer that the model's files make; nil where they hold none.
  package func tokenizer() throws -> (any TextTokenizer)? {
    let files = try files.tokenizerFiles(in: architecture.tokenizerFolder)
    let cleaning: TextCleaning = architecture.isPreparedAsOpenCLIP ? .openCLIP : .asFileSays
    guard files.hasTokenizer(for: cleaning) else { return nil }
    return try TextTokenizers.read(
      files, cleaning: cleaning, lowercasing: architecture.preparation.lowercasing)
  }

  /// Refuses a tokenizer that cannot be read, or that names tokens without a row of the model's
  /// table. A model without one is let pass: its weights alone are worth listing.
  package func checkTokenizer() throws {
    guard case .tokens(_, let rows) = architecture.input else { return }
    try tokenizer()?.requireRows(rows)
  }
}
