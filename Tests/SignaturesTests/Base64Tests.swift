import Testing

@testable import Signatures

@Suite struct Base64Tests {
  /// The vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ]) func isThatOfTheStandard(_ plain: String, _ text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(Array(text.utf8)) == Array(plain.utf8))
  }

  @Test(arguments: [
    "Z", "Zg", "Zg=", "Zg===", "Zg==Zg==", "=", "====", "Zh==", "Zm9=", "Zm 8=", "Zm8=\n", "Zm8-",
    "Zm8", "Z===", "\u{e9}m9v",
  ]) func refuses(_ text: String) {
    #expect(Base64.decode(Array(text.utf8)) == nil)
  }

  @Test func toleratesWhatItIsTold() {
    #expect(Base64.decode(Array("\tZ m\r\n8\u{b}=\u{c}".utf8), .whiteSpace) == Array("fo".utf8))
    #expect(Base64.decode(Array("Zg= =".utf8), .whiteSpace) == Array("f".utf8))
    #expect(Base64.decode(Array("_-__".utf8)) == nil)
    #expect(Base64.decode(Array("_-__".utf8), .urlAlphabet) == [0xFF, 0xEF, 0xFF])
    #expect(Base64.decode(Array("/+//".utf8), .urlAlphabet) == [0xFF, 0xEF, 0xFF])
  }

  @Test func everyLengthComesBack() {
    var generator = SystemRandomNumberGenerator()
    for count in 0..<200 {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(Base64.decode(Array(Base64.encode(bytes).utf8)) == bytes)
    }
  }
}
