import Testing

@testable import WeightCompression

struct CountRangeTests {
  struct Case: CustomTestStringConvertible {
    let text: String
    let meaning: CountRange?
    /// As it is written back.
    var written = ""
    var testDescription: String { "'\(text)'" }
  }

  static let cases = [
    Case(text: "*", meaning: .any, written: "*"),
    Case(text: "384", meaning: CountRange(384), written: "384"),
    Case(text: "0", meaning: CountRange(0), written: "0"),
    Case(text: ">= 2048", meaning: CountRange(minimum: 2048), written: ">= 2048"),
    Case(text: ">=2048", meaning: CountRange(minimum: 2048), written: ">= 2048"),
    Case(text: "> 2048", meaning: CountRange(minimum: 2049), written: ">= 2049"),
    Case(text: "< 1", meaning: CountRange(0), written: "0"),
    Case(text: "<= 7", meaning: CountRange(maximum: 7), written: "<= 7"),
    Case(text: ">= 2 < 10", meaning: CountRange(minimum: 2, maximum: 9), written: ">= 2 <= 9"),
    Case(text: "<10>=2", meaning: CountRange(minimum: 2, maximum: 9), written: ">= 2 <= 9"),
    Case(text: ">= 0", meaning: .any, written: "*"),
    Case(text: " 7 ", meaning: CountRange(7), written: "7"),
    Case(text: ">= 5 <= 5", meaning: CountRange(5), written: "5"),
    Case(text: "", meaning: nil), Case(text: "many", meaning: nil), Case(text: "-1", meaning: nil),
    Case(text: "1.5", meaning: nil), Case(text: "1 2", meaning: nil),
    Case(text: ">=", meaning: nil), Case(text: "= 5", meaning: nil),
    Case(text: "2048 <=", meaning: nil), Case(text: "< 0", meaning: nil),
    Case(text: ">= 5 < 5", meaning: nil), Case(text: ">= 5 >= 6", meaning: nil),
    Case(text: "< 5 <= 6", meaning: nil), Case(text: "**", meaning: nil),
    Case(text: ">= 1000000000000000000000", meaning: nil),
    Case(text: "0x10", meaning: nil),
  ]

  @Test(arguments: cases)
  func readsConditions(_ item: Case) {
    let range = CountRange(item.text)
    #expect(range == item.meaning)
    #expect((range?.description ?? "") == item.written)
    if let range { #expect(CountRange(range.description) == range) }
  }

  @Test func containsBothEnds() {
    let range = CountRange(minimum: 2, maximum: 9)
    #expect((0...12).filter(range.contains) == Array(2...9))
    #expect((0...12).filter(CountRange(minimum: 11).contains) == [11, 12])
    #expect((0...12).filter(CountRange(0).contains) == [0])
  }
}
