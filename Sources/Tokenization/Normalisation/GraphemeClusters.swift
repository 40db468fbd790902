/// Cuts text into grapheme clusters as Hugging Face's library does.
///
/// Source: Unicode Standard Annex 29, section 3.1.1, extended clusters (rules GB3 to GB13), with the
/// classes of the library's Unicode version (16).
enum GraphemeClusters {
  /// The end of the cluster that begins at a place of a text.
  static func end(in text: [UInt32], from start: Int) -> Int {
    let classes = CharacterClasses.grapheme
    var state = State(text[start], classes[text[start]])
    var index = start + 1
    while index < text.count {
      guard state.joins(text[index], classes[text[index]]) else { break }
      index += 1
    }
    return index
  }

  /// The scalars of a cluster so far, as far as they decide what may follow.
  private struct State {
    /// The last scalar and its classes.
    private var last: UInt32
    private var classes: CharacterClass
    /// Whether marks alone follow a picture.
    private var isInPicture = false
    /// Whether the last scalar joins that picture to another.
    private var joinsPicture = false
    /// Whether marks alone follow a consonant, a linker among them or not.
    private var isInConjunct = false
    private var hasLinker = false
    /// Whether the last scalar is an odd one of a run of regional indicators.
    private var isHalfFlag = false

    init(_ scalar: UInt32, _ classes: CharacterClass) {
      last = scalar
      self.classes = classes
      note(scalar, classes)
    }

    /// Whether the next scalar belongs to the cluster; then it is the last from here on.
    mutating func joins(_ next: UInt32, _ nextClasses: CharacterClass) -> Bool {
      guard isJoined(next, nextClasses) else { return false }
      note(next, nextClasses)
      (last, classes) = (next, nextClasses)
      return true
    }

    private func isJoined(_ next: UInt32, _ found: CharacterClass) -> Bool {
      if last == 0x0D, next == 0x0A { return true }  // GB3
      if classes.contains(.graphemeControl) || found.contains(.graphemeControl) { return false }
      if joinsSyllable(next, found) { return true }
      if next == GraphemeClusters.joiner { return true }  // GB9
      if !found.isDisjoint(with: [.graphemeExtend, .spacingMark]) { return true }  // GB9, GB9a
      if classes.contains(.prepend) { return true }  // GB9b
      if isInConjunct, hasLinker, found.contains(.consonant) { return true }  // GB9c
      if joinsPicture, found.contains(.pictographic) { return true }  // GB11
      return isHalfFlag && GraphemeClusters.isRegional(next)  // GB12, GB13
    }

    /// GB6 to GB8.
    private func joinsSyllable(_ next: UInt32, _ found: CharacterClass) -> Bool {
      let isVowel = found.contains(.vowelJamo)
      let isTail = found.contains(.trailingJamo)
      if classes.contains(.leadingJamo) {
        return isVowel || found.contains(.leadingJamo) || GraphemeClusters.isSyllable(next)
      }
      if classes.contains(.vowelJamo) { return isVowel || isTail }
      if classes.contains(.trailingJamo) { return isTail }
      guard GraphemeClusters.isSyllable(last) else { return false }
      return isTail || isVowel && (last - 0xAC00) % 28 == 0
    }

    private mutating func note(_ scalar: UInt32, _ found: CharacterClass) {
      let isJoiner = scalar == GraphemeClusters.joiner
      let isExtend = found.contains(.graphemeExtend)
      joinsPicture = isJoiner && isInPicture
      isInPicture = found.contains(.pictographic) || isInPicture && isExtend
      if found.contains(.consonant) {
        (isInConjunct, hasLinker) = (true, false)
      } else if isInConjunct, isJoiner || isExtend && scalar != 0x200C {
        hasLinker = hasLinker || found.contains(.linker)
      } else {
        isInConjunct = false
      }
      isHalfFlag = GraphemeClusters.isRegional(scalar) && !isHalfFlag
    }
  }

  /// U+200D, which joins pictures.
  private static let joiner: UInt32 = 0x200D

  private static func isRegional(_ scalar: UInt32) -> Bool { 0x1F1E6...0x1F1FF ~= scalar }

  private static func isSyllable(_ scalar: UInt32) -> Bool { 0xAC00...0xD7A3 ~= scalar }
}

extension CharacterClass {
  fileprivate static let graphemeControl = CharacterClass(rawValue: 1)
  fileprivate static let graphemeExtend = CharacterClass(rawValue: 2)
  fileprivate static let spacingMark = CharacterClass(rawValue: 4)
  fileprivate static let prepend = CharacterClass(rawValue: 8)
  fileprivate static let pictographic = CharacterClass(rawValue: 16)
  fileprivate static let consonant = CharacterClass(rawValue: 32)
  fileprivate static let linker = CharacterClass(rawValue: 64)
  fileprivate static let leadingJamo = CharacterClass(rawValue: 128)
  fileprivate static let vowelJamo = CharacterClass(rawValue: 1 << 8)
  fileprivate static let trailingJamo = CharacterClass(rawValue: 1 << 9)
}

extension CharacterClasses {
  /// The classes of grapheme clusters; their bits mean something else than those of `shared`.
  fileprivate static let grapheme = CharacterClasses([
    (.graphemeControl, GraphemeTables.control), (.graphemeExtend, GraphemeTables.extend),
    (.spacingMark, GraphemeTables.spacingMark), (.prepend, GraphemeTables.prepend),
    (.pictographic, GraphemeTables.pictographic), (.consonant, GraphemeTables.consonant),
    (.linker, GraphemeTables.linker), (.leadingJamo, GraphemeTables.leadingJamo),
    (.vowelJamo, GraphemeTables.vowelJamo), (.trailingJamo, GraphemeTables.trailingJamo),
  ])
}
