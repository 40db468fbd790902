import Testing

@testable import Tokenization

/// Special tokens around two texts, and how texts that are too long share the room.
struct PairTemplateTests {
  private static func ids(_ first: Int32, _ count: Int) -> [Int32] {
    (0..<Int32(count)).map { first + $0 }
  }

  @Test func bertsSecondTextIsOfTypeOne() {
    let tokens = PairTemplate.bert(1, 2)
      .tokens(around: [10, 11], [20], maximumLength: 9, cutting: .right)
    #expect(tokens.ids == [1, 10, 11, 2, 20, 2])
    #expect(tokens.types == [0, 0, 0, 0, 1, 1])
  }

  @Test func robertaPutsTwoTokensBetween() {
    let tokens = PairTemplate.roberta(1, 2)
      .tokens(around: [10], [], maximumLength: 9, cutting: .right)
    #expect(tokens.ids == [1, 10, 2, 2, 2])
    #expect(tokens.types == [0, 0, 0, 0, 0])
  }

  @Test func textsAreCutAtTheSideThatIsAskedFor() {
    let first = Self.ids(10, 5), second = Self.ids(20, 2)
    let cut = { (side: TextSide) in
      PairTemplate.bert(1, 2).tokens(around: first, second, maximumLength: 8, cutting: side).ids
    }
    #expect(cut(.right) == [1, 10, 11, 12, 2, 20, 21, 2])
    #expect(cut(.left) == [1, 12, 13, 14, 2, 20, 21, 2])
  }

  @Test func withoutRoomSpecialTokensStay() {
    let tokens = PairTemplate.bert(1, 2)
      .tokens(around: [10], [20], maximumLength: 1, cutting: .right)
    #expect(tokens.ids == [1, 2, 2])
  }

  @Test(arguments: [
    (5, 5, 7, 3, 4), (6, 5, 7, 4, 3), (5, 6, 7, 3, 4), (2, 9, 7, 2, 5), (9, 2, 7, 5, 2),
    (9, 12, 7, 3, 4), (12, 9, 7, 4, 3), (0, 9, 4, 0, 4), (1, 1, 0, 0, 0),
  ])
  func theLongerTextIsCutFirst(first: Int, second: Int, room: Int, left: Int, right: Int) {
    let kept = PairTemplate.longestFirst(first, second, room: room)
    #expect(kept.first == left && kept.second == right)
  }
}
