import Testing

@testable import Tokenization

struct VocabularyTests {
  @Test func findsEveryPieceAndNoOther() {
    var vocabulary = Vocabulary(capacity: 5000)
    for id in 0..<5000 { vocabulary.insert("p\(id)", id: Int32(id * 3)) }
    for id in 0..<5000 { #expect(vocabulary.id(of: "p\(id)") == Int32(id * 3)) }
    for id in 5000..<10000 { #expect(vocabulary.id(of: "p\(id)") == nil) }
    #expect(vocabulary.id(of: "") == nil)
    #expect(vocabulary.count == 5000)
    #expect(vocabulary.longest == 5)
    #expect(vocabulary.highestID == 14997)
  }

  @Test func keepsCanonicallyEquivalentPiecesApart() {
    var vocabulary = Vocabulary(capacity: 2)
    vocabulary.insert("\u{E9}", id: 0)
    vocabulary.insert("e\u{301}", id: 1)
    #expect(vocabulary.id(of: "\u{E9}") == 0)
    #expect(vocabulary.id(of: "e\u{301}") == 1)
  }

  @Test func mayBeEmptyAndHoldTheEmptyPiece() {
    var vocabulary = Vocabulary(capacity: 0)
    #expect(vocabulary.id(of: "a") == nil)
    #expect(vocabulary.highestID == -1)
    vocabulary.insert("", id: 3)
    #expect(vocabulary.id(of: "") == 3)
  }
}
