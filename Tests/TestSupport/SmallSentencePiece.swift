/// Bytes of a model file of SentencePiece, written field by field.
package struct SmallSentencePiece {
  /// The text, the score and the type (1 normal, 2 unknown, 3 control, 4 user-defined) of each piece.
  package var pieces: [(text: String, score: Float, type: Int)] = [
    ("<unk>", 0, 2), ("<s>", 0, 3), ("</s>", 0, 3), ("\u{2581}", -3, 1), ("a", -2, 1),
    ("b", -2, 1), ("ab", -3, 1), ("\u{2581}a", -2.5, 1), ("(", 0, 4), ("1,", -1, 1),
  ]
  /// 1 Unigram, 2 byte pairs, 3 words, 4 characters.
  package var modelType = 1
  package var unknownID = 0
  /// The map of characters; empty for none.
  package var map: [UInt8] = []

  package init() {}

  /// A map of characters that makes "fi" of "A": a trie of one key, as a double array.
  package static let characterMap: [UInt8] = {
    let key = 0x41, children = 256, values = 512
    var units = [UInt32](repeating: 0, count: 1024)
    units[0] = UInt32(children) << 10
    units[children ^ key] = UInt32(values) << 10 | 1 << 8 | UInt32(key)
    units[children ^ key ^ values] = 1 << 31
    let words = [UInt32(units.count * 4)] + units
    return words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
      + Array("fi".utf8) + [0]
  }()

  /// The file.
  package var bytes: [UInt8] {
    let training = Self.number(3, modelType) + Self.number(40, unknownID)
    var file = pieces.flatMap { piece in
      Self.field(
        1,
        Self.field(1, Array(piece.text.utf8)) + [0x15] + Self.word(piece.score)
          + Self.number(3, piece.type))
    }
    file += Self.field(2, training)
    if !map.isEmpty { file += Self.field(3, Self.field(2, map)) }
    return file
  }

  /// A field of bytes.
  private static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + varint(bytes.count) + bytes
  }

  /// A field of a whole number.
  private static func number(_ number: Int, _ value: Int) -> [UInt8] {
    varint(number << 3) + varint(value)
  }

  private static func word(_ value: Float) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
  }

  private static func varint(_ value: Int) -> [UInt8] {
    var rest = UInt64(value)
    var bytes: [UInt8] = []
    while rest > 127 {
      bytes.append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
