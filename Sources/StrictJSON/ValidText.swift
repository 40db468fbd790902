/// Texts of bytes that are valid, and nil for others.
///
/// As `String(validating:as:)`, which needs macOS 15 and iOS 18: apps run on older systems.
extension String {
  /// The text of bytes in UTF-8; nil if they are not valid.
  package init?(utf8 bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if bytes.allSatisfy({ $0 < 0x80 }) {
      self = text
      return
    }
    // What is not valid was replaced, so the bytes differ.
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }

  /// The text of units of UTF-16; nil if a surrogate of them is alone.
  init?(utf16 units: [UInt16]) {
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else { return nil }
    self = text
  }
}
