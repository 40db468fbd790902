import CZlib

/// The CRC-32 of zip archives over bytes that come piece by piece; no defence against anyone.
struct CRC32 {
  private var state: UInt = 0

  /// The checksum of everything so far.
  var value: UInt32 { UInt32(truncatingIfNeeded: state) }

  /// The checksum as messages have it.
  static func words(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }

  mutating func update(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { all in
      // Without a buffer zlib would start anew.
      guard unsafe !all.isEmpty else { return }
      state = unsafe crc32_z(state, all.baseAddress, all.count)
    }
  }
}
