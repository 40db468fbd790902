/// The characters that write bytes in byte-pair vocabularies.
///
/// Bytes that are visible characters of Latin-1 are written as themselves; the others, in order, as
/// the scalars from U+0100 on. Source: Radford et al., "Language models are unsupervised multitask
/// learners", 2019, section 2.2, as their released vocabularies have it.
enum ByteAlphabet {
  /// By byte.
  static let scalars: [UInt32] = {
    var scalars: [UInt32] = []
    var next: UInt32 = 0x100
    for byte: UInt32 in 0..<256 {
      switch byte {
      case 0x21...0x7E, 0xA1...0xAC, 0xAE...0xFF: scalars.append(byte)
      default:
        scalars.append(next)
        next += 1
      }
    }
    return scalars
  }()
}

extension ByteAlphabet {
  /// Appends the bytes of scalars in UTF-8, each as the character that writes it.
  static func append(_ text: ArraySlice<UInt32>, to result: inout [UInt32]) {
    for scalar in text {
      UTF8Bytes.forEach(of: scalar) { result.append(scalars[Int($0)]) }
    }
  }
}
