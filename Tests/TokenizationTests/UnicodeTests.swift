import TestSupport
import Testing

@testable import Tokenization

/// The generated tables as they are looked up. That they are those of Hugging Face's library is for
/// the interop tests; here they are held against Swift's own Unicode, which knows newer versions.
struct UnicodeTests {
  static let allScalars = (UInt32(0)..<0x110000).compactMap { Unicode.Scalar($0) }

  @Test func readsTableItems() {
    let items = Array(TableReader("9 20-2F\n 100-12E/2=101 C0=41.300"))
    #expect(
      items == [
        TableItem(first: 9, last: 9), TableItem(first: 0x20, last: 0x2F),
        TableItem(first: 0x100, last: 0x12E, step: 2, targets: [0x101]),
        TableItem(first: 0xC0, last: 0xC0, targets: [0x41, 0x300]),
      ])
    #expect(Array(TableReader("")).isEmpty)
  }

  @Test func classesOfLetters() {
    let classes = CharacterClasses.shared
    #expect(classes[0x41] == .word)
    #expect(classes[0x20] == .whitespace)
    #expect(classes[0x0B] == [.whitespace, .control])
    #expect(classes[0x5F] == [.punctuation, .word])
    #expect(classes[0x4E2D] == [.ideograph, .word])
    #expect(classes[0x301] == [.nonspacingMark, .combiningMark, .word, .reordered])
    #expect(classes[0x10FFFF] == [])
  }

  /// Every class holds at most what Swift says. U+1CF2 and U+1CF3 were marks before Unicode 12.
  @Test func classesAreThoseOfUnicode() {
    let classes = CharacterClasses.shared
    for scalar in Self.allScalars {
      let found = classes[scalar.value]
      let properties = scalar.properties
      #expect(found.contains(.whitespace) == properties.isWhitespace, "\(scalar.value)")
      if found.contains(.combiningMark) && ![0x1CF2, 0x1CF3].contains(scalar.value) {
        #expect(
          [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory),
          "\(scalar.value)")
      }
      if found.contains(.reordered) {
        #expect(
          ScalarMapping.combiningClass.value(of: scalar.value)
            == UInt32(properties.canonicalCombiningClass.rawValue), "\(scalar.value)")
      }
    }
  }

  /// Decomposed text is canonically equivalent, and decomposing it again changes nothing.
  @Test func decompositionsAreEquivalent() {
    for scalar in Self.allScalars {
      var text = [scalar.value]
      CanonicalDecomposition.apply(to: &text)
      var string = ""
      string.unicodeScalars.append(contentsOf: text.compactMap { Unicode.Scalar($0) })
      #expect(string == String(Character(scalar)), "\(scalar.value)")
      var again = text
      CanonicalDecomposition.apply(to: &again)
      #expect(again == text, "\(scalar.value)")
    }
  }

  /// Composed text is canonically equivalent, composing it again changes nothing, and what comes
  /// out is never longer than what is decomposed.
  @Test func compositionsAreEquivalent() {
    for scalar in Self.allScalars where scalar.value >= 0xC0 {
      var composed = [scalar.value]
      CanonicalComposition.apply(to: &composed)
      var decomposed = [scalar.value]
      CanonicalDecomposition.apply(to: &decomposed)
      var again = decomposed
      CanonicalComposition.apply(to: &again)
      #expect(again == composed && composed.count <= decomposed.count, "\(scalar.value)")
      #expect(composed == [scalar.value] || decomposed != [scalar.value], "\(scalar.value)")
    }
  }

  /// What is put in lower case is what Swift puts there; scalars of newer versions may stay.
  @Test func lowerCaseIsThatOfUnicode() {
    for scalar in Self.allScalars {
      var text: [UInt32] = []
      ScalarMapping.lowercase.append(scalar.value, to: &text)
      if text == [scalar.value] { continue }
      #expect(text == scalars(scalar.properties.lowercaseMapping), "\(scalar.value)")
    }
    #expect(Self.allScalars.count == 0x110000 - 0x800)
  }

  @Test func sortsLongRunsOfMarks() {
    var generator = SeededGenerator(seed: 11)
    let marks: [UInt32] = [0x301, 0x316, 0x334, 0x345, 0x300, 0x5B0, 0x64B]
    var text: [UInt32] = [0x61]
    for _ in 0..<200_000 { text.append(marks[Int.random(in: marks.indices, using: &generator)]) }
    let classOf = { ScalarMapping.combiningClass.value(of: $0) ?? 0 }
    var sorted = text
    CanonicalDecomposition.apply(to: &sorted)
    #expect(sorted.count == text.count)
    #expect(zip(sorted.dropFirst(), sorted.dropFirst(2)).allSatisfy { classOf($0) <= classOf($1) })
  }
}
