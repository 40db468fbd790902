/// What a delta says of itself, before its frame: 96 bytes.
///
///     0   8 bytes   `IngotDlt`
///     8   1 byte    version, 1
///     9   1 byte    method
///     10  6 bytes   zero
///     16  8 bytes   length of the old file, little-endian
///     24  32 bytes  its SHA-256
///     56  8 bytes   length of the new file
///     64  32 bytes  its SHA-256
package struct DeltaHeader: Equatable, Sendable {
  /// How the frame makes the new file.
  package enum Method: UInt8, Sendable {
    /// The frame holds blocks; see `DeltaBlock`.
    case blocks = 0
    /// The frame holds the new file, and refers back to the old one as its past.
    case dictionary = 1
  }

  package let method: Method
  package let old: FileIdentity
  package let new: FileIdentity

  /// Bytes of a header.
  package static let byteCount = 96
  /// The most bytes that both files may have together where the frame refers to the old one: what a window
  /// of 2^23 bytes reaches.
  package static let dictionaryLimit = 1 << 23
  /// The most bytes of a file that a delta makes: 16 GB.
  package static let lengthLimit = 16 << 30

  private static let magic = Array("IngotDlt".utf8)
  private static let version: UInt8 = 1

  package init(method: Method, old: FileIdentity, new: FileIdentity) {
    (self.method, self.old, self.new) = (method, old, new)
  }

  package var bytes: [UInt8] {
    let start = Self.magic + [Self.version, method.rawValue] + [UInt8](repeating: 0, count: 6)
    return start + DeltaBlock.bytes(of: old.length) + old.sha256 + DeltaBlock.bytes(of: new.length)
      + new.sha256
  }

  /// Reads a header.
  ///
  /// - Parameters:
  ///   - bytes: the first of a file.
  ///   - origin: the file, for messages.
  package init(_ bytes: [UInt8], origin: String) throws(DeltaError) {
    func malformed(_ fault: String) -> DeltaError { .malformed(delta: origin, fault: fault) }
    guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else {
      throw malformed("is not a delta")
    }
    guard bytes[8] == Self.version else {
      throw malformed("is a delta of version \(bytes[8]), known is \(Self.version)")
    }
    guard let method = Method(rawValue: bytes[9]), bytes[10..<16].allSatisfy({ $0 == 0 }) else {
      throw malformed("is made in a way that is not known: \(bytes[9...15].map { Int($0) })")
    }
    guard let oldLength = DeltaBlock.count(bytes[16..<24]),
      let newLength = DeltaBlock.count(bytes[56..<64]), oldLength <= Self.lengthLimit,
      newLength <= Self.lengthLimit
    else { throw malformed("is of files of more than \(Self.lengthLimit) bytes") }
    guard method == .blocks || oldLength + newLength <= Self.dictionaryLimit else {
      throw malformed(
        "refers to a file of \(oldLength) bytes for one of \(newLength), "
          + "at most \(Self.dictionaryLimit) together may")
    }
    self.method = method
    old = FileIdentity(length: oldLength, sha256: Array(bytes[24..<56]))
    new = FileIdentity(length: newLength, sha256: Array(bytes[64..<96]))
  }
}
