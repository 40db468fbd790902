import StrictJSON

/// Builds Gemma's tokenizer from a SentencePiece model of byte pairs as the library `transformers`
/// does in a folder without `tokenizer.json`.
///
/// Source: `GemmaConverter` of transformers 4.57 and `GemmaTokenizer` of 5.23, compared with both.
struct SentencePieceBytePairs {
  private let context: TokenizerContext
  private let file: SentencePieceFile
  private let library: TransformersLibrary
  private let pieces: [SentencePieceFile.Piece]
  private let vocabulary: Vocabulary

  /// The class's pieces at fixed places.
  private static let first = ["<pad>", "<eos>", "<bos>", "<unk>"]
  private static let tab = "\t"
  private static let tabByte = "<0x09>"

  /// - Throws: what the file has wrong, and settings that are not supported without
  ///   `tokenizer.json`.
  init(_ context: TokenizerContext, _ file: TokenizerFiles.File) throws(PreprocessingError) {
    self.context = context
    library = try context.savingLibrary()
    let (read, pieces, vocabulary) = try SentencePieceBytePairs.read(file, library)
    (self.file, self.pieces, self.vocabulary) = (read, pieces, vocabulary)
    try context.requireTokens(of: defaults)
  }

  func tokenizer(
    _ lowercasing: TextPreparation.Lowercasing
  ) throws(PreprocessingError) -> BytePairTokenizer {
    let settings = BytePairModel.Settings(
      unknownID: Int32(SentencePieceBytePairs.first.count - 1), fusesUnknown: true,
      byteIDs: vocabulary.byteIDs)
    let model = BytePairModel(
      vocabulary: vocabulary, merges: SentencePieceMerges.table(pieces, vocabulary, library),
      settings: settings)
    return BytePairTokenizer(
      model: model,
      pipeline: try context.pipeline(
        try parts(), vocabulary, context.special(defaults), lowercasing),
      openCLIP: nil)
  }

  // MARK: Pieces

  private static func read(
    _ file: TokenizerFiles.File, _ library: TransformersLibrary
  ) throws(PreprocessingError) -> (
    file: SentencePieceFile, pieces: [SentencePieceFile.Piece], vocabulary: Vocabulary
  ) {
    try reading { () throws(JSONError) in
      let file = try SentencePieceFile(file, .bpe)
      let whole = try file.vocabulary(file.pieces)
      try check(file, whole)
      let pieces = library == .four ? fourthPieces(file.pieces, whole) : file.pieces
      return (file, pieces, try file.vocabulary(pieces))
    }
  }

  /// The pieces as the class has them up to 4.57: scores of 0 for its own three, and the tab in the
  /// place of its byte if the file has none.
  private static func fourthPieces(
    _ pieces: [SentencePieceFile.Piece], _ vocabulary: Vocabulary
  ) -> [SentencePieceFile.Piece] {
    var pieces = pieces
    for place in 0..<3 { pieces[place].score = 0 }
    if vocabulary.id(of: tab) == nil, let place = vocabulary.id(of: tabByte) {
      pieces[Int(place)] = SentencePieceFile.Piece(text: tab, score: 0)
    }
    return pieces
  }

  /// Refuses pieces of the class at other places, and a missing byte: then how characters become
  /// unknown tokens would count.
  private static func check(
    _ file: SentencePieceFile, _ vocabulary: Vocabulary
  ) throws(JSONError) {
    for (place, own) in first.enumerated() where vocabulary.id(of: own) != Int32(place) {
      throw file.error("the piece \(place) is not '\(own)', as the tokenizer's class has it")
    }
    if let byte = vocabulary.byteIDs.firstIndex(of: -1) {
      throw file.error(
        "has no piece for the byte \(byte), which is supported with tokenizer.json only")
    }
  }

  // MARK: Parts

  /// The special tokens of the class; from 5.0 on it has one for masks.
  private var defaults: [SpecialTokens.Name: String] {
    var tokens = TokenizerKind.gemma.bytePairTokens
    if library == .five { tokens[.mask] = TokenizerKind.gemma.maskToken }
    return tokens
  }

  private func parts() throws(PreprocessingError) -> PipelineParts {
    let added = try reading { () throws(JSONError) in
      try context.addedTokens(listed, context.special(defaults).map(\.entry), vocabulary)
    }
    let settings = context.configuration
    let addsStart = settings.addsStart ?? (library == .four)
    let id = { (name: SpecialTokens.Name) in defaults[name].flatMap { added.id(of: $0) } }
    return PipelineParts(
      normalizer: .gemma, preTokenizer: .gemma,
      template: SpecialTokenTemplate(
        before: (addsStart ? [id(.start)] : []).compactMap(\.self),
        after: (settings.addsEnd ?? false ? [id(.end)] : []).compactMap(\.self)),
      added: added)
  }

  /// The added tokens: the special ones of the class, and the file's control and user-defined pieces.
  private var listed: [AddedTokenEntry] {
    var entries = SpecialTokens.Name.allCases.compactMap { defaults[$0] }.map { text in
      var entry = file.addedEntry(text)
      entry.isOfClass = true
      return entry
    }
    var texts = Set(entries.map { ExactString($0.content) })
    for piece in file.pieces where piece.kind != .normal {
      guard texts.insert(ExactString(piece.text)).inserted else { continue }
      var entry = file.addedEntry(piece.text)
      entry.isSpecial = piece.kind == .control
      entries.append(entry)
    }
    return entries
  }
}
