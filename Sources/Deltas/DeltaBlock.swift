/// Some bytes of the new file: 17 bytes, and then as many as the block makes.
///
///     0  1 byte   kind
///     1  8 bytes  where the old bytes begin, little-endian; 0 where none are used
///     9  8 bytes  how many bytes follow
package struct DeltaBlock: Equatable, Sendable {
  /// What is done with the bytes that follow.
  package enum Kind: UInt8, Sendable {
    /// They are the new bytes.
    case plain = 0
    /// They are added to the old bytes, modulo 256.
    case sum = 1
    /// They are the bits in which old and new bytes differ.
    case xor = 2
  }

  package let kind: Kind
  /// Of the old file.
  package let offset: Int
  package let count: Int

  /// Bytes of a block without what follows.
  package static let byteCount = 17

  package init(_ kind: Kind, at offset: Int, count: Int) {
    (self.kind, self.offset, self.count) = (kind, offset, count)
  }

  package var bytes: [UInt8] {
    [kind.rawValue] + DeltaBlock.bytes(of: offset) + DeltaBlock.bytes(of: count)
  }

  /// - Returns: nil if it is none, or reaches beyond either file.
  package init?(_ bytes: [UInt8], oldLength: Int, room: Int) {
    guard bytes.count == DeltaBlock.byteCount, let kind = Kind(rawValue: bytes[0]),
      let offset = DeltaBlock.count(bytes[1..<9]), let count = DeltaBlock.count(bytes[9..<17]),
      count > 0, count <= room
    else { return nil }
    switch kind {
    case .plain: guard offset == 0 else { return nil }
    case .sum, .xor:
      guard offset <= oldLength, count <= oldLength - offset else { return nil }
    }
    self.init(kind, at: offset, count: count)
  }

  /// Eight bytes, the least first.
  static func bytes(of count: Int) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) }
  }

  /// The number that eight bytes make, the least first; nil if it is negative or too large.
  static func count(_ bytes: ArraySlice<UInt8>) -> Int? {
    Int(exactly: bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
