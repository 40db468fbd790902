import TestSupport
import Testing

@testable import StrictJSON

@Suite struct JSONValueTests {
  @Test func compact() {
    let value: JSONValue = [
      "b": [1, true, .null], "a": ["x": "\"\\\n\r\t\u{1}\u{7F}\u{E9}/"], "": [], "c": [:],
    ]
    #expect(
      value.compact
        == #"{"":[],"a":{"x":"\"\\\n\r\t\u0001\u007f\#u{E9}/"},"b":[1,true,null],"c":{}}"#)
  }

  @Test func pretty() {
    let value: JSONValue = ["b": [1, [:]], "a": "x", "c": []]
    #expect(
      value.pretty == """
        {
          "a": "x",
          "b": [
            1,
            {}
          ],
          "c": []
        }

        """)
  }

  @Test(arguments: [
    (0.0, "0.0"), (-0.0, "-0.0"), (0.1, "0.1"), (1e16, "1e+16"), (0x1p-1074, "5e-324"),
    (1.5e300, "1.5e+300"), (.nan, "null"), (.infinity, "null"),
  ]) func doubles(_ value: Double, _ text: String) {
    #expect(JSONValue.double(value).compact == text)
  }

  /// A written value must read back to the same, for random values.
  @Test(arguments: 0..<50) func readsBack(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let value = JSONValueTests.value(depth: 0, &generator)
    for text in [value.compact, value.pretty] {
      let node = try JSONParser.parse(Array(text.utf8), origin: "seed \(seed)")
      #expect(JSONValueTests.value(of: node) == value, "seed \(seed)")
    }
  }

  private static func value(depth: Int, _ generator: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &generator) {
    case 0: .null
    case 1: .bool(.random(using: &generator))
    case 2: .integer(.random(in: .min ... .max, using: &generator))
    case 3:
      // Never a whole number: those read back as integers.
      .double(Double(Int.random(in: -999...999, using: &generator)) + 0.375)
    case 4: .string(text(&generator))
    case 5:
      .array(
        (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
          value(depth: depth + 1, &generator)
        })
    default:
      .object(
        Dictionary(
          (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
            (text(&generator), value(depth: depth + 1, &generator))
          }
        ) { first, _ in first })
    }
  }

  /// Texts without combining marks, so that Swift's equality is that of bytes.
  private static func text(_ generator: inout SeededGenerator) -> String {
    let scalars = Array("\0\u{1F}\u{7F}\"\\/abc \u{E9}\u{4E2D}\u{1F600}\u{2028}\n".unicodeScalars)
    var text = ""
    for _ in 0..<Int.random(in: 0..<9, using: &generator) {
      text.unicodeScalars.append(scalars[Int.random(in: 0..<scalars.count, using: &generator)])
    }
    return text
  }

  private static func value(of node: JSONNode) -> JSONValue {
    switch node.content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number: node.integer.map { .integer($0) } ?? .double(node.double ?? .nan)
    case .string(let text): .string(text)
    case .array(let elements): .array(elements.map(value))
    case .object(let object):
      .object(
        Dictionary(uniqueKeysWithValues: object.members.map { ($0.key, value(of: $0.value)) }))
    }
  }
}
