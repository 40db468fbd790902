import StrictJSON

/// A Unigram model file of SentencePiece, run as the library SentencePiece (0.2) runs it, where a
/// class of the library `transformers` calls that itself.
///
/// Source: SentencePiece's `SentencePieceProcessor`.
struct SentencePieceProcessor: Sendable {
  /// The id of every piece.
  let vocabulary: Vocabulary
  let unknownID: Int32
  /// The scores of the pieces, by id.
  let scores: [Double]
  let spellsBytes: Bool
  var normalizer: SentencePieceNormalizer
  private let lattice: SentencePieceLattice

  /// Reads a file.
  ///
  /// - Throws: what `SentencePieceFile` does not read; pieces that are the same, none or several for
  ///   unknown characters, and bytes that are not all there or not asked for.
  init(_ file: TokenizerFiles.File) throws(JSONError) {
    let message = try SentencePieceFile.message(file, .unigram)
    let pieces = try SentencePieceFile.pieces(message.pieces, origin: file.origin)
    vocabulary = try SentencePieceFile.vocabulary(pieces, origin: file.origin)
    scores = pieces.map(\.score)
    unknownID = try SentencePieceProcessor.unknownID(message, file.origin)
    spellsBytes = message.trainerSpec.byteFallback
    try SentencePieceProcessor.checkBytes(message, vocabulary, file.origin)
    normalizer = try SentencePieceNormalizer(message, origin: file.origin)
    lattice = SentencePieceLattice(
      message.pieces.filter { $0.type == .normal || $0.type == .userDefined }
        .map { ($0.piece, $0.score, $0.type == .userDefined) })
  }

  private static func unknownID(
    _ message: SentencePieceModel, _ origin: String
  ) throws(JSONError) -> Int32 {
    let unknown = message.pieces.indices.filter { message.pieces[$0].type == .unknown }
    guard unknown.count == 1 else {
      throw SentencePieceFile.error(
        origin, "has \(unknown.count) pieces for unknown characters, expected 1")
    }
    return Int32(unknown[0])
  }

  private static func checkBytes(
    _ message: SentencePieceModel, _ vocabulary: Vocabulary, _ origin: String
  ) throws(JSONError) {
    let bytes = message.pieces.filter { $0.type == .byte }
    let spells = message.trainerSpec.byteFallback
    guard spells ? bytes.count == 256 && !vocabulary.byteIDs.contains(-1) : bytes.isEmpty else {
      throw SentencePieceFile.error(
        origin, "has \(bytes.count) pieces for bytes, and 'byte_fallback' is \(spells)")
    }
  }

  /// The pieces of a text, as texts. An unknown character is its bytes where the model spells them;
  /// else it is one piece with the unknown ones beside it.
  func pieces(of text: [UInt32]) -> [[UInt32]] {
    let text = normalizer.normalised(text)
    var pieces: [[UInt32]] = []
    var isBehindUnknown = false
    for (range, isKnown) in lattice.pieces(of: text) {
      if isKnown || !spellsBytes && !isBehindUnknown {
        pieces.append(Array(text[range]))
      } else if spellsBytes {
        UTF8Bytes.forEach(of: text[range.lowerBound]) { pieces.append(Vocabulary.piece(of: $0)) }
      } else {
        pieces[pieces.count - 1] += text[range]
      }
      isBehindUnknown = !isKnown
    }
    return pieces
  }

  /// The id of a piece by its text.
  func id(of piece: [UInt32]) -> Int32 { vocabulary.id(of: piece) ?? unknownID }
}

extension SentencePieceNormalizer {
  /// As a model's file says.
  fileprivate init(_ message: SentencePieceModel, origin: String) throws(JSONError) {
    let settings = message.normalizerSpec
    self.init(
      map: try SentencePieceFile.map(message, origin: origin),
      addsSpace: settings.addDummyPrefix,
      spaceIsSuffix: message.trainerSpec.treatWhitespaceAsSuffix,
      dropsExtraSpace: settings.removeExtraWhitespaces, showsSpace: settings.escapeWhitespaces,
      fixed: message.pieces.filter { $0.type == .userDefined }
        .map { $0.piece.unicodeScalars.map(\.value) })
  }
}
