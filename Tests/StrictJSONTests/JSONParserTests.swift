import Testing

@testable import StrictJSON

@Suite struct JSONParserTests {
  private func parse(_ text: String) throws -> JSONNode {
    try JSONParser.parse(Array(text.utf8), origin: "f")
  }

  @Test func words() throws {
    #expect(try parse(" null ").isNull)
    #expect(try parse("true").bool == true)
    #expect(try parse("\r\n\tfalse").bool == false)
    #expect(try parse("true").isNull == false)
  }

  struct NumberCase: Sendable, CustomTestStringConvertible {
    let text: String
    let integer: Int?
    let double: Double?
    var testDescription: String { text }
  }

  static let numbers: [NumberCase] = [
    NumberCase(text: "0", integer: 0, double: 0),
    NumberCase(text: "-0", integer: 0, double: -0.0),
    NumberCase(text: "3.0", integer: 3, double: 3),
    NumberCase(text: "1e3", integer: 1000, double: 1000),
    NumberCase(text: "2.5", integer: nil, double: 2.5),
    NumberCase(text: "-1E-2", integer: nil, double: -0.01),
    NumberCase(text: "9223372036854775807", integer: .max, double: 0x1p63),
    NumberCase(text: "-9223372036854775808", integer: .min, double: -0x1p63),
    NumberCase(text: "9223372036854775808", integer: nil, double: 0x1p63),
    NumberCase(text: "9007199254740992.0", integer: 9_007_199_254_740_992, double: 0x1p53),
    NumberCase(text: "9007199254740994.0", integer: nil, double: 0x1p53 + 2),
    NumberCase(text: "1e400", integer: nil, double: nil),
    NumberCase(text: "-1e400", integer: nil, double: nil),
    NumberCase(text: "1e-400", integer: 0, double: 0),
    NumberCase(text: "5e-324", integer: nil, double: 0x1p-1074),
    NumberCase(text: "0.1", integer: nil, double: 0.1),
  ]

  @Test(arguments: numbers) func readsNumber(_ test: NumberCase) throws {
    let node = try parse(test.text)
    #expect(node.integer == test.integer)
    #expect(node.double == test.double)
  }

  @Test func longestNumber() throws {
    #expect(try parse(String(repeating: "9", count: 1000)).double == nil)
    #expect(try parse("1." + String(repeating: "0", count: 998)).integer == 1)
  }

  static let strings: [(text: String, value: String)] = [
    (#""""#, ""), (#""a b""#, "a b"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""\u0041\u00e9\u20AC""#, "A\u{E9}\u{20AC}"), (#""\ud83d\uDE00!""#, "\u{1F600}!"),
    (#""\u0000""#, "\0"), ("\"\u{1F600}\u{7F}\"", "\u{1F600}\u{7F}"), (#""x\ny""#, "x\ny"),
    (#""\uffff""#, "\u{FFFF}"),
  ]

  @Test(arguments: strings) func readsString(_ text: String, _ value: String) throws {
    let found = try #require(try parse(text).string)
    #expect(found.utf8.elementsEqual(value.utf8))
  }

  @Test func nesting() throws {
    let deepest = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
    #expect(try parse(deepest).array?.count == 1)
    let node = try parse(#" [ 1 , [ ] , { } , {"a" : [ {"b":null} ] } ] "#)
    #expect(node.array?.count == 4)
    #expect(node.array?[3].object?["a"]?.array?.first?.object?["b"]?.isNull == true)
  }

  @Test func positions() throws {
    let object = try JSONParser.parseObject(
      Array("{\n  \"\u{E9}\": 1,\r\n \"b\": [\n2]}".utf8), origin: "f")
    #expect(object["\u{E9}"]?.position == JSONPosition(line: 2, column: 9))
    #expect(object["b"]?.array?.first?.position == JSONPosition(line: 4, column: 1))
    #expect(object.position == JSONPosition(line: 1, column: 1))
  }

  @Test func keysAreComparedByTheirBytes() throws {
    let object = try JSONParser.parseObject(
      Array("{\"\u{E9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4}".utf8), origin: "f")
    #expect(object["\u{E9}"]?.integer == 1)
    #expect(object["e\u{301}"]?.integer == 2)
    #expect(object["K"]?.integer == 3)
    #expect(object["\u{212A}"]?.integer == 4)
  }

  /// Small objects are searched, large ones indexed; both must answer alike.
  @Test(arguments: [0, 1, 7, 8, 9, 10, 1000]) func manyKeys(_ count: Int) throws {
    let text = "{" + (0..<count).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    let object = try JSONParser.parseObject(Array(text.utf8), origin: "f")
    #expect(object.members.map(\.key) == (0..<count).map { "k\($0)" })
    for index in 0..<count { #expect(object["k\(index)"]?.integer == index) }
    #expect(object["k\(count)"] == nil)
  }

  @Test func limits() throws {
    let limits = JSONParser.Limits(depth: 1, values: 3)
    #expect(throws: Never.self) {
      try JSONParser.parse(Array("[1,2]".utf8), origin: "f", limits: limits)
    }
    #expect(throws: JSONError.self) {
      try JSONParser.parse(Array("[1,2,3]".utf8), origin: "f", limits: limits)
    }
    #expect(throws: JSONError.self) {
      try JSONParser.parse(Array("[[1]]".utf8), origin: "f", limits: limits)
    }
  }
}
