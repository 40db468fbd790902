import TestSupport
import Testing

@testable import Weights

/// A hostile or broken file and its message; `m` is its path.
struct HostileCase: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  let message: String

  init(_ name: String, _ bytes: [UInt8], _ message: String) {
    self.name = name
    self.bytes = bytes
    self.message = message
  }

  var testDescription: String { name }

  /// Parses the bytes as a safetensors file and gives the message of the error.
  func safetensorsMessage() -> String {
    do throws(WeightsError) {
      let text = try SafetensorsHeader.text(of: bytes.span.bytes, path: "m")
      _ = try SafetensorsHeader(text: text, fileByteCount: bytes.count, path: "m")
      return "accepted"
    } catch {
      return error.description
    }
  }
}

@Suite struct SafetensorsHostileTests {
  @Test func enoughCases() { #expect(SafetensorsHostileTests.cases.count >= 40) }

  @Test(arguments: cases) func refused(_ hostile: HostileCase) {
    #expect(hostile.safetensorsMessage() == hostile.message)
  }

  static let file = SafetensorsBytes.self
  static let good = #""dtype":"U8","shape":[2],"data_offsets":[0,2]"#

  static let cases: [HostileCase] = lengthCases + textCases + entryCases + layoutCases

  static let lengthCases: [HostileCase] = [
    HostileCase("empty file", [], "m: has 0 bytes, a safetensors file has at least 8"),
    HostileCase(
      "seven bytes", [1, 0, 0, 0, 0, 0, 0], "m: has 7 bytes, a safetensors file has at least 8"),
    HostileCase("no header", file.file(""), "m: the header is empty"),
    HostileCase(
      "length beyond the file", file.file("{}", stated: 3),
      "m: the header is said to have 3 bytes, the file has 2 left for it"),
    HostileCase(
      "largest length", file.file("{}", stated: .max),
      "m: the header is said to have 18446744073709551615 bytes, the file has 2 left for it"),
    HostileCase(
      "length with the sign bit", file.file("{}", stated: 1 << 63),
      "m: the header is said to have 9223372036854775808 bytes, the file has 2 left for it"),
    HostileCase(
      "length beyond the limit", file.file("{}", data: 65 << 20, stated: 67_108_865),
      "m: the header is said to have 67108865 bytes, the limit is 67108864"),
    HostileCase(
      "length too short", file.file("{}", stated: 1),
      "m (header):1:2: a key in quotes is expected here"),
    HostileCase(
      "big-endian length", bigEndian(2 as UInt64) + Array("{}".utf8),
      "m: the header is said to have 144115188075855872 bytes, the file has 2 left for it"),
  ]

  static let textCases: [HostileCase] = [
    HostileCase(
      "space before the header", file.file(" {}"),
      "m: the header starts with byte 32, expected '{'"),
    HostileCase(
      "byte order mark", file.file("\u{FEFF}{}"),
      "m: the header starts with byte 239, expected '{'"),
    HostileCase("an array", file.file("[]"), "m: the header starts with byte 91, expected '{'"),
    HostileCase(
      "truncated JSON", file.file(#"{"a":"#),
      "m (header):1:6: the text ends where a value is expected"),
    HostileCase(
      "text after the header", file.file("{} {}"), "m (header):1:4: text after the value"),
    HostileCase(
      "padded with zeros", file.file("{}\0\0\0\0\0\0"), "m (header):1:3: text after the value"),
    HostileCase(
      "invalid UTF-8 in a name", file.file(Array(#"{""#.utf8) + [0xFF] + Array(#"":{}}"#.utf8)),
      "m (header):1:5: a string is not valid UTF-8"),
    HostileCase(
      "a tensor twice", file.file(#"{"a":{\#(good)},"a":{\#(good)}}"#, data: 2),
      "m (header):1:54: the key 'a' appears twice in one object"),
    HostileCase(
      "metadata twice", file.file(#"{"__metadata__":{},"__metadata__":{}}"#),
      "m (header):1:20: the key '__metadata__' appears twice in one object"),
    HostileCase(
      "a tensor twice, once escaped",
      file.file(#"{"a":{\#(good)},"\u0061":{\#(good)}}"#, data: 2),
      "m (header):1:54: the key 'a' appears twice in one object"),
    HostileCase(
      "a thousand levels",
      file.file(#"{"a":"# + String(repeating: "[", count: 1000)),
      "m (header):1:9: values nest deeper than 3 levels"),
    HostileCase(
      "too many values",
      file.file(#"{"a":["# + String(repeating: "0,", count: 300_000) + "0]}"),
      "m (header):1:300003: the text holds more than 150000 values"),
  ]
}
