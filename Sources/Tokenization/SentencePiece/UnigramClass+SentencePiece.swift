import StrictJSON

/// What the classes of the library `transformers` make of a SentencePiece model.
extension UnigramClass {
  /// The class's name for the file.
  var sentencePieceFile: TokenizerFiles.Name {
    switch self {
    case .xlmRoberta, .camembert: .sentencePieceBPE
    case .albert, .t5: .sentencePiece
    case .debertaV2: .sentencePieceOfDeberta
    }
  }

  /// The pieces of the tokenizer, each at its id; some classes renumber those of the file.
  ///
  /// - Parameter extraTokens: the number of tokens that T5's class adds.
  func pieces(
    _ file: SentencePieceFile, extraTokens: Int, _ library: TransformersLibrary
  ) -> [SentencePieceFile.Piece] {
    let own = { (text: String) in SentencePieceFile.Piece(text: text, score: 0) }
    switch self {
    case .xlmRoberta:
      return ["<s>", "<pad>", "</s>", "<unk>"].map(own) + file.pieces.dropFirst(3) + [own("<mask>")]
    case .camembert:
      return ["<s>NOTUSED", "<pad>", "</s>NOTUSED", "<unk>"].map(own)
        + [SentencePieceFile.Piece(text: "<unk>NOTUSED", score: -100)]
        + file.pieces.dropFirst() + [own("<mask>")]
    case .t5:
      return file.pieces
        + (0..<extraTokens).reversed().map { own("<extra_id_\($0)>") }
    case .albert: return library == .four ? file.pieces.map(\.withoutNumbers) : file.pieces
    case .debertaV2: return file.pieces
    }
  }

  /// The id of the unknown token.
  func unknownID(_ file: SentencePieceFile, _ library: TransformersLibrary) -> Int {
    switch (self, library) {
    case (.xlmRoberta, _), (.camembert, _): return 3
    case (.albert, .five): return 1
    case (.t5, .five): return 2
    case (.debertaV2, .five):
      let named = file.pieces.firstIndex { ExactString($0.text) == ExactString("[UNK]") }
      return named.flatMap { file.pieces[$0].score == 0 ? $0 : nil } ?? file.unknownID
    case (.albert, .four), (.t5, .four), (.debertaV2, .four): return file.unknownID
    }
  }

  /// The steps of the normalizer up to transformers 4.57, which goes by the file; from 5.0 on the
  /// class does (`normalizer(_:_:)`).
  func fourthNormalizer(
    _ map: [Normalizer.Step], _ settings: TokenizerConfiguration
  ) -> [Normalizer.Step] {
    let spaces = { (content: UInt32) in
      Normalizer.Step.replace(
        TextReplacement(pattern: .spaces(minimum: 2), content: [content]))
    }
    switch self {
    case .xlmRoberta, .camembert, .t5:
      return map + [.strip(left: false, right: true), spaces(0x2581)]
    case .albert: return normalizer(map, settings) + [spaces(0x20)]
    case .debertaV2:
      return (settings.lowercases ?? false ? [.lowercase] : [])
        + [.strip(left: true, right: true)] + map + [spaces(0x20)]
    }
  }

  /// The steps of the pre-tokenizer up to transformers 4.57.
  func fourthPreTokenizer(_ settings: TokenizerConfiguration) -> [PreTokenizer.Step] {
    (self == .debertaV2 && settings.splitsPunctuation ? [.punctuation] : []) + [
      .metaspace(Metaspace(replacement: 0x2581, prefix: .always, splits: true))
    ]
  }

  /// The special tokens whose flags are not the usual ones, up to transformers 4.57.
  func fourthFlags(_ name: SpecialTokens.Name, _ entry: inout AddedTokenEntry) {
    switch (self, name) {
    case (.xlmRoberta, .mask), (.camembert, .mask), (.albert, .mask): entry.stripsLeft = true
    case (.debertaV2, .unknown): entry.isNormalized = true
    default: break
    }
  }
}

extension SentencePieceFile.Piece {
  /// The same piece, with a lower score if it ends with a number and a comma: ALBERT's class up to
  /// transformers 4.57 so keeps the two apart.
  fileprivate var withoutNumbers: SentencePieceFile.Piece {
    let scalars = text.unicodeScalars.suffix(2)
    guard scalars.count == 2, scalars.last == ",", let digit = scalars.first,
      digit.properties.numericType == .decimal || digit.properties.numericType == .digit
    else { return self }
    var piece = self
    piece.score -= 100
    return piece
  }
}
