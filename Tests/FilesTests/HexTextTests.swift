import Testing

@testable import Files

struct HexTextTests {
  @Test func everyByteComesBack() {
    let bytes = (0...255).map { UInt8($0) }
    let text = HexText.text(bytes)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(HexText.bytes(text) == bytes)
    #expect(HexText.bytes(text.uppercased()) == bytes)
    #expect(HexText.bytes("") == [])
  }

  @Test(arguments: ["0", "0g", "-1", " 1", "0x", "١1", "00 "])
  func otherTextsAreNone(_ text: String) { #expect(HexText.bytes(text) == nil) }

  @Test func onlyDigitsAsWrittenAreLowerCase() {
    let digits = (0...255).map { UInt8($0) }.filter { HexText.isLowerCase($0) }
    #expect(digits == Array("0123456789abcdef".utf8))
  }
}
