import StrictJSON
import Testing

@testable import SelfTesting

/// The file of a self-test: read as it was written, or refused.
struct SelfTestFileTests {
  static func tensor(
    _ name: String, _ shape: [Int], _ elements: TensorValue.Elements
  ) throws -> TensorValue {
    try #require(TensorValue(name: name, shape: shape, elements))
  }

  static func test() throws -> SelfTest {
    let inputs = [
      try tensor("values", [1, 3], .float32([0.5, -1, 3e-8])),
      try tensor("features", [1, 2], .float64([0.1, -1e-40])),
      try tensor("ids", [1, 2], .int32([-1, 70_000])),
      try tensor("picture", [1, 2, 2], .uint8([0, 255, 7, 128])),
    ]
    let output = try tensor("embedding", [1, 2], .float32([0.6, -0.8]))
    return SelfTest(
      .references, .cosine(0.995), [SelfTest.Case(inputs: inputs, output: output)])
  }

  @Test func aMissingNumberEqualsItself() throws {
    let values: [TensorValue.Elements] = [.float32([.nan, 1]), .float64([.nan, 1])]
    for value in values { #expect(value == value) }
    #expect(values[0] != .float32([.nan, 2]))
    #expect(values[0] != values[1])
  }

  @Test func whatIsWrittenReadsBack() throws {
    let bytes = try Self.test().bytes
    #expect(try SelfTest(bytes, origin: "t.json") == Self.test())
    // 0.5 as numpy writes it in little-endian float32.
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""data":"AAAAPwAAgL"#))
    // 0.1 as little-endian float64.
    #expect(String(decoding: bytes, as: UTF8.self).contains(#""data":"mpmZmZmZuT"#))
  }

  @Test(arguments: [
    (#""schema":1"#, #""schema":2"#, "schema"),
    (#""source":"references""#, #""source":"elsewhere""#, "source"),
    (#""cosine":"0.995""#, #""cosine":"1.5""#, "cosine"),
    (#""cosine":"0.995""#, #""cosine":"nan""#, "cosine"),
    (#""cosine":"0.995""#, #""angle":"0.995""#, "angle"),
    (#""shape":[1,3]"#, #""shape":[1,4]"#, "[1, 4]"),
    (#""shape":[1,3]"#, #""shape":[3,1000000000000,9000000000]"#, "values"),
    (#""type":"int32""#, #""type":"int64""#, "int64"),
    (#""cases":["#, #""cases":[],"other":["#, "other"),
    (#""cases":["#, #""cases": ["#, "one byte form"),
  ])
  func whatWouldNotHaveBeenWrittenIsRefused(
    _ text: String, _ other: String, _ named: String
  ) throws {
    let whole = String(decoding: try Self.test().bytes, as: UTF8.self)
    #expect(whole.contains(text))
    let changed = Array(whole.replacing(text, with: other).utf8)
    let error = try #require(throws: JSONError.self) { try SelfTest(changed, origin: "t.json") }
    #expect("\(error)".contains(named))
    #expect("\(error)".contains("t.json"))
  }

  @Test func outputsThatAreNotFiniteAreRefused() throws {
    let output = try Self.tensor("embedding", [1], .float32([.nan]))
    let test = SelfTest(.synthetic, .cosine(0.9), [SelfTest.Case(inputs: [output], output: output)])
    #expect(throws: JSONError.self) { try SelfTest(test.bytes, origin: "t.json") }
  }
}
