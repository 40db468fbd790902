import Files
import StrictJSON

/// The values of a deflated npz member, inflated on every request: a small archive may hold far
/// more than fits into memory.
///
/// The first request inflates all of the member, whatever it asks for, and compares its CRC-32.
final class DeflatedBytes: Sendable {
  /// Size of the values.
  var byteCount: Int { bytes.count }
  private let file: MappedFile
  private let member: ZipDirectory.Member
  /// The range of the values in the inflated member.
  private let bytes: Range<Int>
  private let isVerified: Mutex<Bool>

  /// - Parameter isVerified: whether the member's CRC-32 was compared before.
  init(file: MappedFile, member: ZipDirectory.Member, bytes: Range<Int>, isVerified: Bool) {
    self.file = file
    self.member = member
    self.bytes = bytes
    self.isVerified = Mutex(isVerified)
  }

  /// All values.
  ///
  /// - Throws: as `forEachPiece`.
  func values() throws(WeightsError) -> [UInt8] {
    var values: [UInt8] = []
    values.reserveCapacity(bytes.count)
    try forEachPiece(of: 1 << 20) { piece in
      unsafe piece.withUnsafeBytes { unsafe values.append(contentsOf: $0) }
      return true
    }
    return values
  }

  /// Lends the values in order, `count` bytes at once, until `body` returns false.
  ///
  /// - Throws: where the stream is damaged or its CRC-32 is another than stated, and then what `body` took
  ///   is worth nothing.
  func forEachPiece(of count: Int, _ body: (RawSpan) -> Bool) throws(WeightsError) {
    let wasVerified = isVerified.withLock(\.self)
    var collector = PieceCollector(of: count, skipping: bytes.lowerBound)
    var found: UInt32 = 0
    var goesOn = true
    var fault = file.withBytes(in: member.bytes) { data in
      Inflate.pieces(
        of: data, expected: member.byteCount, letGo: { file.letGo(of: member.place(of: $0)) }
      ) { piece in
        found = Inflate.checksum(found, piece)
        if goesOn { goesOn = collector.add(piece, body) }
        return goesOn || !wasVerified
      }
    }
    // Of a member that was sound before, `body` may end the work early.
    guard goesOn || !wasVerified else { return }
    if fault == nil, found != member.crc {
      fault = wasVerified ? "has another CRC-32 than before" : member.fault(ofChecksum: found)
    }
    if let fault {
      throw .malformed(
        place: "\(file.path): member \(quoted(member.name))",
        fault: wasVerified ? "was changed while it was read: \(fault)" : fault)
    }
    isVerified.withLock { $0 = true }
    if goesOn { _ = collector.finish(body) }
  }
}

/// Regroups bytes that come in any sizes into pieces of one size.
private struct PieceCollector {
  private let count: Int
  private var skip: Int
  private var collected: [UInt8] = []

  /// - Parameter skip: number of bytes to leave out at the start.
  init(of count: Int, skipping skip: Int) {
    self.count = count
    self.skip = skip
  }

  /// Takes the next bytes; whether `body` wants more.
  mutating func add(_ bytes: RawSpan, _ body: (RawSpan) -> Bool) -> Bool {
    var start = min(skip, bytes.byteCount)
    skip -= start
    while start < bytes.byteCount {
      let end = min(start + count - collected.count, bytes.byteCount)
      let part = bytes.extracting(start..<end)
      unsafe part.withUnsafeBytes { unsafe collected.append(contentsOf: $0) }
      if collected.count == count, !finish(body) { return false }
      start = end
    }
    return true
  }

  /// Lends the last bytes collected.
  mutating func finish(_ body: (RawSpan) -> Bool) -> Bool {
    guard !collected.isEmpty else { return true }
    defer { collected.removeAll(keepingCapacity: true) }
    return unsafe body(collected.span.bytes)
  }
}
