/// The map of characters of a SentencePiece model (`precompiled_charsmap`), applied as the crate
/// `spm_precompiled` (0.1.4) of Hugging Face's library does, which differs from SentencePiece.
///
/// Format: the length in bytes of a trie (32 bits, little-endian), the trie as a double array
/// (Yata's `darts-clone`: units of 32 bits, little-endian), and texts in UTF-8, each ended by a
/// zero byte. The trie's keys are texts in UTF-8, its values offsets into the texts.
struct CharacterMap: Equatable, Sendable {
  /// Clusters of at least so many bytes are replaced scalar by scalar.
  private static let shortestLong = 6

  private let units: [UInt32]
  /// All texts as scalars, each ended by 0.
  private let scalars: [UInt32]
  /// The place in `scalars` of each byte of the texts; -1 within a scalar.
  private let places: [Int32]

  /// Why a map is not one.
  struct Fault: Error {
    let words: String
  }

  /// - Throws: if a walk through the trie could leave it or point outside of the texts.
  init(_ bytes: [UInt8]) throws(Fault) {
    guard bytes.count >= 4 else { throw Fault(words: "is shorter than its first number") }
    let length = Int(CharacterMap.word(bytes, at: 0))
    guard length > 0, length % 4 == 0, length <= bytes.count - 4 else {
      throw Fault(words: "has a trie of \(length) bytes, and \(bytes.count - 4) bytes follow")
    }
    units = stride(from: 4, to: 4 + length, by: 4).map { CharacterMap.word(bytes, at: $0) }
    let texts = Array(bytes[(4 + length)...])
    var scalars: [UInt32] = []
    var places = [Int32](repeating: -1, count: texts.count)
    var index = 0
    while index < texts.count {
      guard let (scalar, length) = UTF8Bytes.scalar(in: texts, at: index) else {
        throw Fault(words: "has texts that are not UTF-8")
      }
      places[index] = Int32(scalars.count)
      scalars.append(scalar)
      index += length
    }
    scalars.append(0)
    self.scalars = scalars
    self.places = places
    try checkTrie()
  }

  private static func word(_ bytes: [UInt8], at index: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << UInt32($1 * 8) }
  }

  // MARK: The trie

  /// The distance from a node to its children (bits 10 to 30, shifted by 8 where bit 9 is set).
  private static func offset(_ unit: UInt32) -> Int {
    Int(unit >> 10) << Int((unit & 0x200) >> 6)
  }

  /// Walks through every node that a text can reach.
  private func checkTrie() throws(Fault) {
    var isSeen = [Bool](repeating: false, count: units.count)
    var pending = [CharacterMap.offset(units[0])]
    while let node = pending.popLast() {
      for byte in 1...255 {
        let child = node ^ byte
        guard child < units.count else { throw Fault(words: "has a trie that leads out of itself") }
        guard units[child] & 0x8000_00FF == UInt32(byte), !isSeen[child] else { continue }
        isSeen[child] = true
        let next = child ^ CharacterMap.offset(units[child])
        if units[child] >> 8 & 1 == 1 { try checkValue(next) }
        pending.append(next)
      }
    }
  }

  private func checkValue(_ node: Int) throws(Fault) {
    guard node < units.count else { throw Fault(words: "has a trie that leads out of itself") }
    let value = Int(units[node] & 0x7FFF_FFFF)
    guard value == places.count || value < places.count && places[value] >= 0 else {
      throw Fault(words: "points to byte \(value) of its texts, which is not the start of one")
    }
  }

  /// The place in `scalars` of the text for the shortest key that scalars begin with.
  private func find(_ text: [UInt32], _ range: Range<Int>) -> Int? {
    var node = CharacterMap.offset(units[0])
    var found: Int?
    for index in range where found == nil {
      var isOnPath = true
      UTF8Bytes.forEach(of: text[index]) { byte in
        guard isOnPath, found == nil else { return }
        node ^= Int(byte)
        isOnPath = byte != 0 && units[node] & 0x8000_00FF == UInt32(byte)
        guard isOnPath else { return }
        let unit = units[node]
        node ^= CharacterMap.offset(unit)
        if unit >> 8 & 1 == 1 { found = Int(units[node] & 0x7FFF_FFFF) }
      }
      guard isOnPath else { return nil }
    }
    return found.map { $0 < places.count ? Int(places[$0]) : scalars.count - 1 }
  }

  /// The text for the longest key that scalars have at a place, as SentencePiece itself looks for it,
  /// and the number of scalars of that key; nil without a key.
  func longest(_ text: [UInt32], from start: Int) -> (content: [UInt32], count: Int)? {
    var node = CharacterMap.offset(units[0])
    var found: (place: Int, count: Int)?
    for index in start..<text.count {
      var value: Int?
      var isOnPath = true
      UTF8Bytes.forEach(of: text[index]) { byte in
        guard isOnPath else { return }
        node ^= Int(byte)
        isOnPath = byte != 0 && units[node] & 0x8000_00FF == UInt32(byte)
        guard isOnPath else { return }
        let unit = units[node]
        node ^= CharacterMap.offset(unit)
        value = unit >> 8 & 1 == 1 ? Int(units[node] & 0x7FFF_FFFF) : nil
      }
      guard isOnPath else { break }
      if let value, value < places.count { found = (Int(places[value]), index + 1 - start) }
    }
    return found.map { (Array(scalars[$0.place...].prefix { $0 != 0 }), $0.count) }
  }

  // MARK: Texts

  /// Changes a text in place.
  func apply(to text: inout PreTokenizedText) {
    var result = Result(text)
    let source = text.scalars
    var start = 0
    while start < source.count {
      let end = CharacterMap.clusterEnd(source, start)
      if end > start + 1 {
        let bytes = source[start..<end].reduce(0) { $0 + UTF8Bytes.count(of: $1) }
        if bytes < CharacterMap.shortestLong, let place = find(source, start..<end) {
          replace(start..<end, place, &result)
          start = end
          continue
        }
      }
      for index in start..<end {
        if let place = find(source, index..<index + 1) {
          replace(index..<index + 1, place, &result)
        } else {
          result.append(source[index], at: index)
        }
      }
      start = end
    }
    text = PreTokenizedText(result.scalars, leading: result.leading)
  }

  /// Most text is ASCII, whose scalars are clusters of their own.
  private static func clusterEnd(_ text: [UInt32], _ start: Int) -> Int {
    if start + 1 == text.count { return start + 1 }
    if text[start] < 0x80, text[start + 1] < 0x80, text[start] != 0x0D { return start + 1 }
    return GraphemeClusters.end(in: text, from: start)
  }

  private func replace(_ range: Range<Int>, _ place: Int, _ result: inout Result) {
    var place = place
    var index = range.lowerBound
    if scalars[place] == 0 { result.drop(range.count) }
    while scalars[place] != 0 {
      result.append(scalars[place], at: min(index, range.upperBound - 1))
      place += 1
      index += 1
    }
  }

  /// The changed text, and how much of it came from the first character.
  ///
  /// The library forgets what it drops before the first scalar that it keeps, so that the rest moves
  /// to the start.
  private struct Result {
    private(set) var scalars: [UInt32] = []
    private(set) var leading = 0
    private let leadingBefore: Int
    private var forgotten = 0

    init(_ text: PreTokenizedText) {
      scalars.reserveCapacity(text.scalars.count)
      leadingBefore = text.leading
    }

    mutating func append(_ scalar: UInt32, at index: Int) {
      if index - forgotten < leadingBefore { leading = scalars.count + 1 }
      scalars.append(scalar)
    }

    mutating func drop(_ count: Int) {
      if scalars.isEmpty { forgotten += count }
    }
  }
}
