/// A single-byte encoding as ftfy has it: bytes without a character read as in Latin-1, and in some
/// encodings the byte 1A is the replacement character, whose own byte was lost.
struct SingleByteEncoding: Sendable {
  /// In the order they are tried.
  static let all = [
    latin1,
    SingleByteEncoding("windows-1252", EncodingTables.sloppyWindows1252, isSloppy: true),
    SingleByteEncoding("windows-1251", EncodingTables.sloppyWindows1251, isSloppy: true),
    SingleByteEncoding("windows-1250", EncodingTables.sloppyWindows1250, isSloppy: true),
    SingleByteEncoding("windows-1253", EncodingTables.sloppyWindows1253, isSloppy: true),
    SingleByteEncoding("windows-1254", EncodingTables.sloppyWindows1254, isSloppy: true),
    SingleByteEncoding("windows-1257", EncodingTables.sloppyWindows1257, isSloppy: true),
    SingleByteEncoding("iso-8859-2", EncodingTables.iso88592),
    SingleByteEncoding("macroman", EncodingTables.macroman, restoresSpaces: false),
    SingleByteEncoding("cp437", EncodingTables.cp437),
  ]
  static let latin1 = SingleByteEncoding("latin-1", EncodingTables.latin1)
  /// The encoding in which control characters from U+0080 to U+009F are read.
  static let windows1252 = all[1]

  let name: String
  /// Whether the byte 1A is the replacement character.
  let isSloppy: Bool
  /// Whether a space may be a lost no-break space. Not in MacRoman, where an en dash and a space
  /// would be read as a character.
  let restoresSpaces: Bool
  /// The scalars of all bytes.
  private let scalars: [UInt32]
  /// The bytes of scalars from U+0080 up.
  private let bytes: [UInt32: UInt8]

  private init(
    _ name: String, _ table: String, isSloppy: Bool = false, restoresSpaces: Bool = true
  ) {
    self.name = name
    self.isSloppy = isSloppy
    self.restoresSpaces = restoresSpaces
    let mapping = ScalarMapping(table)
    var scalars: [UInt32] = []
    for byte: UInt32 in 0..<256 { mapping.append(byte, to: &scalars) }
    if isSloppy { scalars[0x1A] = 0xFFFD }
    self.scalars = scalars
    bytes = Dictionary(
      scalars.enumerated().filter { $1 >= 0x80 }.map { ($1, UInt8($0)) },
      uniquingKeysWith: { first, _ in first })
  }

  func scalar(of byte: UInt8) -> UInt32 { scalars[Int(byte)] }

  /// The bytes of a text; nil if a character is not in this encoding.
  func encoded(_ text: [UInt32]) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    for scalar in text {
      if scalar < 0x80 {
        guard scalars[Int(scalar)] == scalar else { return nil }
        result.append(UInt8(scalar))
      } else {
        guard let byte = bytes[scalar] else { return nil }
        result.append(byte)
      }
    }
    return result
  }
}
