import StrictJSON
import Testing

@testable import TUF

/// What securesystemslib's `encode_canonical` gives for the same texts.
@Suite struct CanonicalFormTests {
  @Test(arguments: [
    (#"{"b": 1, "a": [true, false, null, -3]}"#, #"{"a":[true,false,null,-3],"b":1}"#),
    (#"{"\u0041": "\"\\\/\n"}"#, "{\"A\":\"\\\"\\\\/\n\"}"),
    (#"{"é": "\u00e9", "z": "\ud83d\ude00"}"#, "{\"z\":\"😀\",\"é\":\"é\"}"),
    ("[ ]", "[]"), ("{ }", "{}"), (#""""#, #""""#), ("-0", "0"),
  ])
  func textsAreAsTheLibraryWritesThem(_ text: String, _ canonical: String) throws {
    let node = try JSONParser.parse(Array(text.utf8), origin: "t.json")
    #expect(try CanonicalForm.bytes(of: node, origin: "t.json") == Array(canonical.utf8))
  }

  @Test(arguments: ["1.5", "1.0", "1e3", "9223372036854775808"])
  func numbersThatAreNotIntegersAreRefused(_ text: String) throws {
    let node = try JSONParser.parse(Array(text.utf8), origin: "t.json")
    #expect(throws: JSONError.self) { try CanonicalForm.bytes(of: node, origin: "t.json") }
  }
}
