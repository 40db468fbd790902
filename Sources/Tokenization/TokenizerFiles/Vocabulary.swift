import StrictJSON

/// The pieces of a model and their ids, found by an exact comparison of scalars.
///
/// An open-addressing table over a hash that grows scalar by scalar: the hashes of all prefixes of
/// a word cost one pass, so a longest-match search probes once per length instead of hashing anew.
struct Vocabulary: Sendable {
  /// The hash of the empty piece.
  static let emptyHash: UInt64 = 0xCBF2_9CE4_8422_2325

  /// The hash of a piece made longer by one scalar.
  static func extend(_ hash: UInt64, _ scalar: UInt32) -> UInt64 {
    let product = (hash ^ UInt64(scalar)) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// Length of the longest piece in scalars.
  private(set) var longest = 0
  /// The highest id, or -1 of an empty vocabulary.
  private(set) var highestID: Int32 = -1
  var count: Int { ids.count }

  /// All pieces end to end; piece `n` is `scalars[starts[n]..<starts[n + 1]]`.
  private var scalars: [UInt32] = []
  private var starts: [Int32] = [0]
  private var ids: [Int32] = []
  /// The low half of a piece's hash and its index plus 1; 0 is free. A power of two in number.
  private var slots: [UInt64]
  private let mask: Int

  /// An empty vocabulary.
  ///
  /// - Parameter capacity: the most pieces it will hold.
  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    mask = size - 1
    scalars.reserveCapacity(capacity * 8)
    starts.reserveCapacity(capacity + 1)
    ids.reserveCapacity(capacity)
  }

  /// Adds a piece that is not in the vocabulary yet.
  mutating func insert(_ piece: String, id: Int32) {
    precondition(ids.count * 2 <= mask, "more pieces than the capacity")
    var hash = Vocabulary.emptyHash
    let start = scalars.count
    for scalar in piece.unicodeScalars {
      scalars.append(scalar.value)
      hash = Vocabulary.extend(hash, scalar.value)
    }
    starts.append(Int32(scalars.count))
    ids.append(id)
    longest = max(longest, scalars.count - start)
    highestID = max(highestID, id)
    var slot = Vocabulary.slot(hash, mask)
    while slots[slot] != 0 { slot = (slot + 1) & mask }
    slots[slot] = hash << 32 | UInt64(ids.count)
  }

  /// Every piece and its id, in the order in which they were added.
  func forEach(_ body: (_ piece: String, _ id: Int32) -> Void) {
    for entry in ids.indices {
      var piece = String.UnicodeScalarView()
      for scalar in scalars[Int(starts[entry])..<Int(starts[entry + 1])] {
        if let scalar = Unicode.Scalar(scalar) { piece.append(scalar) }
      }
      body(String(piece), ids[entry])
    }
  }

  /// The id of a whole piece.
  func id(of piece: String) -> Int32? {
    let text = piece.unicodeScalars.map(\.value)
    let hash = text.reduce(Vocabulary.emptyHash, Vocabulary.extend)
    return id(hash: hash, prefix: [], text, text.indices)
  }

  /// The id of the piece that is `prefix` and then a part of a text.
  ///
  /// - Parameter hash: the hash of the whole piece.
  func id(hash: UInt64, prefix: [UInt32], _ text: [UInt32], _ range: Range<Int>) -> Int32? {
    var slot = Vocabulary.slot(hash, mask)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == hash & 0xFFFF_FFFF {
        let entry = Int(slots[slot] & 0xFFFF_FFFF) - 1
        if isEqual(entry, prefix, text, range) { return ids[entry] }
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private static func slot(_ hash: UInt64, _ mask: Int) -> Int {
    Int(truncatingIfNeeded: hash >> 40) & mask
  }

  private func isEqual(
    _ entry: Int, _ prefix: [UInt32], _ text: [UInt32], _ range: Range<Int>
  ) -> Bool {
    let start = Int(starts[entry])
    guard Int(starts[entry + 1]) - start == prefix.count + range.count else { return false }
    for index in prefix.indices where scalars[start + index] != prefix[index] { return false }
    let shift = start + prefix.count - range.lowerBound
    for index in range where scalars[index + shift] != text[index] { return false }
    return true
  }
}

/// Reads `vocab.txt`: a piece a line, its place as id.
enum VocabularyFile {
  /// Reads the file.
  ///
  /// - Throws: if it is not text, or has lines that library versions read as different pieces.
  static func vocabulary(_ file: TokenizerFiles.File) throws(JSONError) -> Vocabulary {
    let fault = { (line: Int, fault: String) in
      JSONError(
        origin: file.origin, position: JSONPosition(line: line, column: 1), fault: fault)
    }
    guard let text = String(utf8: file.bytes) else {
      throw fault(1, "is not text in UTF-8")
    }
    guard !text.unicodeScalars.contains("\0") else { throw fault(1, "holds a zero byte") }
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    var vocabulary = Vocabulary(capacity: lines.count)
    var hasBlank = false
    for (index, line) in lines.enumerated() {
      let piece = String(line.last == "\r" ? line.dropLast() : line)
      if let reason = disagreement(piece) {
        throw fault(index + 1, "'\(piece.prefix(60))' \(reason)")
      }
      let isBlank = isSpace(piece.unicodeScalars)
      guard vocabulary.id(of: piece) == nil, !(isBlank && hasBlank) else {
        throw fault(index + 1, "'\(piece.prefix(60))' appears twice")
      }
      hasBlank = hasBlank || isBlank
      vocabulary.insert(piece, id: Int32(index))
    }
    guard vocabulary.count > 0 else { throw fault(1, "is empty") }
    return vocabulary
  }

  /// Why versions of the library read a line as different pieces; a line of white space alone is a
  /// piece that no text has.
  private static func disagreement(_ piece: String) -> String? {
    if piece.unicodeScalars.contains("\r") {
      return "holds a carriage return, which only some versions of the library take as the end of "
        + "a line; remove it"
    }
    guard let last = piece.unicodeScalars.last, last.properties.isWhitespace,
      !isSpace(piece.unicodeScalars)
    else { return nil }
    return "ends with white space, which only some versions of the library take as a part of the "
      + "piece; remove it"
  }

  private static func isSpace(_ scalars: String.UnicodeScalarView) -> Bool {
    scalars.allSatisfy(\.properties.isWhitespace)
  }
}
