import Synchronization
package import Tokenization

extension Architecture {
  /// Whether inputs are prepared as OpenCLIP prepares them, and not as Hugging Face's libraries.
  package var isPreparedAsOpenCLIP: Bool { describingFiles.contains("open_clip_config.json") }
}

extension Model {
  /// The tokenizer that the model's files describe; nil if they describe none.
  package func tokenizer() throws -> (any TextTokenizer)? {
    try tokenizer(lowercasing: architecture.preparation.lowercasing)
  }

  /// The same with text put in lower case as `lowercasing` says, instead of the model's files.
  package func tokenizer(
    lowercasing: TextPreparation.Lowercasing
  ) throws -> (any TextTokenizer)? {
    if let known = tokenizers[lowercasing] { return known }
    let files = try files.tokenizerFiles(in: architecture.tokenizerFolder)
    let cleaning: TextCleaning = architecture.isPreparedAsOpenCLIP ? .openCLIP : .asFileSays
    guard files.hasTokenizer(for: cleaning) else { return nil }
    let tokenizer = try TextTokenizers.read(files, cleaning: cleaning, lowercasing: lowercasing)
    tokenizers[lowercasing] = tokenizer
    return tokenizer
  }

  /// Refuses a tokenizer that cannot be read, or that names tokens without a row of the model's
  /// table. A model without one is let pass: listing its weights is still useful.
  package func checkTokenizer() throws {
    guard case .tokens(_, let rows) = architecture.input else { return }
    try tokenizer()?.requireRows(rows)
  }
}

/// A cache of tokenizers: reading a large one takes longer than a text.
final class TokenizerMemory: Sendable {
  private let known = Mutex<[TextPreparation.Lowercasing: any TextTokenizer]>([:])

  subscript(_ lowercasing: TextPreparation.Lowercasing) -> (any TextTokenizer)? {
    get { known.withLock { $0[lowercasing] } }
    set { known.withLock { $0[lowercasing] = newValue } }
  }
}
