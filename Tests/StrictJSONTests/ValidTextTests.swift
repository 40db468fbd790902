import Testing

@testable import StrictJSON

/// The standard library's own check, which newer systems have, is the judge.
struct ValidTextTests {
  private static let parts: [[UInt8]] = [
    [], [0x61], [0x00], [0xC3, 0xA9], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80],
    // The character that stands where something was not valid.
    [0xEF, 0xBF, 0xBD],
    // Cut off, alone, too long, a surrogate, beyond the last scalar.
    [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xA9], [0xC0, 0x80], [0xE0, 0x80, 0x80],
    [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
  ]

  @Test func whatIsUTF8IsText() {
    var valid = 0
    for first in Self.parts {
      for second in Self.parts {
        let bytes = first + second
        let text = String(utf8: bytes)
        #expect(text == String(validating: bytes, as: UTF8.self), "\(bytes)")
        if let text {
          valid += 1
          #expect(Array(text.utf8) == bytes)
        }
      }
    }
    // Pairs of valid ones, and those that are whole only together.
    #expect(valid >= 49 && valid < 60)
  }

  @Test func surrogatesComeInPairs() {
    let units: [UInt16] = [0x61, 0xD83D, 0xDE00, 0xDC00, 0xFFFD, 0xD800]
    for first in units {
      #expect(String(utf16: [first]) == String(validating: [first], as: UTF16.self))
      for second in units {
        #expect(
          String(utf16: [first, second]) == String(validating: [first, second], as: UTF16.self))
      }
    }
  }
}
