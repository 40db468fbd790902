import Files
import Testing
import Weights

@testable import Packaging

/// Zstd frames that are none of ours.
extension PackageVerifierTests {
  static let frames = [
    Case(raw: "empty", "is not a zstd archive") { _ in [] },
    Case(raw: "plain tar", "is not a zstd archive") { $0.bytes },
    Case(raw: "skippable frame first", "is not a zstd archive") {
      try [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0] + Tarball.compress($0.bytes)
    },
    Case(raw: "five bytes", "the zstd frame is cut short") {
      try Array(Tarball.compress($0.bytes).prefix(5))
    },
    Case(raw: "half of it", "the zstd frame is cut short") {
      let bytes = try Tarball.compress($0.bytes)
      return Array(bytes.prefix(bytes.count / 2))
    },
    Case(raw: "without its last byte", "the zstd frame is cut short") {
      try Tarball.compress($0.bytes).dropLast()
    },
    Case(
      raw: "flipped checksum", "the zstd frame is damaged: restored data doesn't match checksum"
    ) {
      var bytes = try Tarball.compress($0.bytes)
      bytes[bytes.count - 1] ^= 1
      return bytes
    },
    Case(raw: "byte behind", "1 byte follows the zstd frame") {
      try Tarball.compress($0.bytes) + [0]
    },
    Case(raw: "second frame", "a second zstd frame starts at byte #") {
      try Tarball.compress($0.bytes) + Tarball.compress($0.bytes)
    },
    Case(
      raw: "window of 2 GiB",
      "the zstd frame asks for a window of 2147483648 bytes, the limit is 8388608"
    ) { _ in [0x28, 0xB5, 0x2F, 0xFD, 0x84, 0xA8, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] },
    Case(
      raw: "one segment of 3 GiB",
      "the zstd frame asks for a window of 3221225472 bytes, the limit is 8388608"
    ) { _ in [0x28, 0xB5, 0x2F, 0xFD, 0xA4, 0, 0, 0, 0xC0, 1, 0, 0, 0, 0, 0, 0, 0, 0] },
    Case(raw: "no checksum", "the zstd frame has no checksum") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x20, 1, 9, 0, 0, 0]
    },
    Case(raw: "no size", "the zstd frame does not declare the size of its content") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 1, 0, 0, 0]
    },
    Case(raw: "dictionary", "the zstd frame needs a dictionary") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x25, 1, 1, 9, 0, 0]
    },
    Case(raw: "reserved bit", "the zstd frame uses a reserved feature") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x2C, 1, 9, 0, 0, 0]
    },
    Case(raw: "magic alone", "the zstd frame is cut short") { _ in [0x28, 0xB5, 0x2F, 0xFD] },
    Case(raw: "a zip", "is called '.tar.zst', but it is a zip archive") { _ in
      try Sample.zip.get()
    },
    Case(raw: "skippable frame behind", "8 bytes follow the zstd frame") {
      try Tarball.compress($0.bytes) + [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]
    },
    Case(raw: "second, empty frame", "a second zstd frame starts at byte #") {
      try Tarball.compress($0.bytes) + Tarball.compress([])
    },
    Case(raw: "content size one too large", "the zstd frame is damaged: data corruption detected") {
      try Tarball.compress($0.bytes).withContentSize { $0 + 1 }
    },
    Case(raw: "content size one too small", "the zstd frame is damaged: data corruption detected") {
      try Tarball.compress($0.bytes).withContentSize { $0 - 1 }
    },
    Case(raw: "size of almost 2^64", "the zstd frame is cut short") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0xC4, 0x58] + [UInt8](repeating: 0xFF, count: 12)
    },
    Case(raw: "reserved kind of block", "the zstd frame is damaged: data corruption detected") {
      var bytes = try Tarball.compress($0.bytes)
      bytes[bytes.firstBlock] |= 6
      return bytes
    },
    Case(raw: "block larger than any may be", "the zstd frame is damaged: data corruption detected")
    {
      var bytes = try Tarball.compress($0.bytes)
      bytes[bytes.firstBlock + 2] = 0xFF
      return bytes
    },
  ]
}

extension [UInt8] {
  /// Where the first block of a frame with a single segment and a size of two bytes starts.
  fileprivate var firstBlock: Int {
    precondition(self[4] >> 5 == 0b011, "the sample is a single segment of 256 to 65,791 bytes")
    return 7
  }

  /// Such a frame with another size.
  fileprivate func withContentSize(_ change: (Int) -> Int) -> [UInt8] {
    precondition(firstBlock == 7, "the size has two bytes")
    var bytes = self
    let size = change(Int(self[5]) | Int(self[6]) << 8)
    (bytes[5], bytes[6]) = (UInt8(size & 255), UInt8(size >> 8))
    return bytes
  }
}
