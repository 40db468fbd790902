import Testing
import Weights

@Suite("Names of tensors") struct TensorNameTests {
  private let one = TensorName("caf\u{e9}")
  private let two = TensorName("cafe\u{301}")

  @Test func spellingsOfOneTextAreDifferentNames() {
    #expect(one.text == two.text)
    #expect(one != two)
    #expect(Set([one, two, one]).count == 2)
    #expect([one: 1, two: 2][two] == 2)
  }

  @Test func theOrderIsThatOfTheBytes() {
    // As bytes: 63 61 66 65 cc 81, 63 61 66 c3 a9, 63 61 67.
    #expect([one, "cag", two].sorted() == [two, one, "cag"])
    #expect(two < one)
    #expect(!(one < two))
    #expect(!(one < one))
    // By UTF-16 units, 😀 (d83d de00) comes before ﬀ (fb00).
    #expect(TensorName("\u{fb00}") < TensorName("\u{1f600}"))
    #expect(TensorName("a") < TensorName("ab"))
    #expect(TensorName("") < TensorName("a"))
  }

  @Test func messagesShowTheTextItself() {
    let layer = 3
    let name: TensorName = "layer.\(layer).weight"
    #expect(name == TensorName("layer.3.weight"))
    #expect("\(name)" == "layer.3.weight")
    #expect(quoted(TensorName("a\u{1b}b")) == "'a\\u{1b}b'")
  }
}
