import StrictJSON

/// The part `model` of a `tokenizer.json` of Unigram.
extension TokenizerFile {
  private static let modelKeys = KeyRules(
    understood: ["type", "vocab", "unk_id", "byte_fallback"], nullable: ["unk_id"])

  /// Reads `model`, which must be a Unigram model.
  func unigramModel() throws(PreprocessingError) -> UnigramModel {
    let part = try model().part
    return try reading { () throws(JSONError) in
      try TokenizerFile.modelKeys.check(part)
      let (pieces, scores) = try TokenizerFile.pieces(part)
      let vocabulary = try TokenizerFile.vocabulary(pieces, part)
      let spellsBytes = part.has("byte_fallback") ? try part.bool("byte_fallback") : false
      return UnigramModel(
        pieces, scores, vocabulary, unknownID: try TokenizerFile.unknownID(part, pieces.count),
        byteIDs: spellsBytes ? TokenizerFile.byteIDs(vocabulary) : nil)
    }
  }

  /// The pieces and their scores: a list of pairs, the place of each its id.
  private static func pieces(_ part: JSONObject) throws(JSONError) -> ([String], [Double]) {
    let nodes = try part.array("vocab")
    guard !nodes.isEmpty else {
      throw part.error("'vocab' is empty", at: try part.required("vocab").position)
    }
    var pieces: [String] = []
    var scores: [Double] = []
    pieces.reserveCapacity(nodes.count)
    scores.reserveCapacity(nodes.count)
    for (id, node) in nodes.enumerated() {
      guard let pair = node.array, pair.count == 2, let piece = pair[0].string,
        let score = PieceScore.read(pair[1])
      else {
        throw part.error(
          "the piece \(id) of 'vocab' is \(node.kind), expected a text and a finite score",
          at: node.position)
      }
      pieces.append(piece)
      scores.append(score)
    }
    return (pieces, scores)
  }

  private static func vocabulary(
    _ pieces: [String], _ part: JSONObject
  ) throws(JSONError) -> Vocabulary {
    guard pieces.count < Int(Int32.max) else {
      throw part.error("'vocab' has too many pieces", at: part.position)
    }
    var vocabulary = Vocabulary(capacity: pieces.count)
    for (id, piece) in pieces.enumerated() {
      if let other = vocabulary.id(of: piece) {
        throw part.error(
          "the pieces \(other) and \(id) of 'vocab' are the same, '\(piece.prefix(60))'",
          at: try part.required("vocab").position)
      }
      vocabulary.insert(piece, id: Int32(id))
    }
    return vocabulary
  }

  private static func unknownID(_ part: JSONObject, _ count: Int) throws(JSONError) -> Int32 {
    guard part.has("unk_id") else {
      throw part.error(
        "has no 'unk_id': the library fails on a text with a character that it does not know",
        at: part.position)
    }
    return Int32(try part.plainInteger("unk_id", in: 0...count - 1))
  }

  /// The ids of all bytes, which are pieces written as `<0x0A>`; -1 for one that is missing.
  private static func byteIDs(_ vocabulary: Vocabulary) -> [Int32] {
    (0..<256).map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return vocabulary.id(of: "<0x" + (byte < 16 ? "0" : "") + digits + ">") ?? -1
    }
  }
}
