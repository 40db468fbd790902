import Files
import StrictJSON

/// One array of an npz archive, its CRC-32 and size checked.
struct NpzMember {
  /// The member's name without `.npy`.
  let name: TensorName
  let header: NpyHeader
  private let member: ZipDirectory.Member

  /// Checks the start of a member against its stated size.
  ///
  /// - Parameter letGo: called with ranges of the archive that are no longer needed.
  init(
    _ member: ZipDirectory.Member, in file: RawSpan, path: String,
    letGo: (Range<Int>) -> Void = { _ in }
  ) throws(WeightsError) {
    let place = "\(path): member \(quoted(member.name))"
    guard let name = NpzMember.arrayName(member.name) else {
      throw .malformed(
        place: path,
        fault: "holds \(quoted(member.name)), which is not an npy file"
          + (member.name.utf8.suffix(4).elementsEqual(".pkl".utf8)
            ? "; this is a PyTorch checkpoint, save it as safetensors" : ""))
    }
    self.name = TensorName(name)
    self.member = member
    let prefix = try member.prefix(
      file, NpyHeader.prefixByteCount, place, letGo)
    header = unsafe try NpyHeader(
      prefix: prefix.span.bytes, byteCount: member.byteCount, place: place)
  }

  /// The name of the array, if the member is one.
  private static func arrayName(_ name: String) -> String? {
    guard name.utf8.count > 4, name.utf8.suffix(4).elementsEqual(".npy".utf8) else { return nil }
    return String(decoding: name.utf8.dropLast(4), as: UTF8.self)
  }

  /// The tensor of this member.
  func tensor(in file: MappedFile) -> Tensor {
    let storage: Tensor.Storage =
      if member.isDeflated {
        .deflated(DeflatedBytes(file: file, member: member, bytes: header.bytes))
      } else {
        .mapped(
          file,
          member.bytes.lowerBound + header.bytes.lowerBound..<member.bytes.upperBound)
      }
    return Tensor(
      name: name, elementType: header.elementType, shape: header.shape,
      elementCount: header.elementCount, place: file.path,
      layout: Tensor.Layout(
        isBigEndian: header.isBigEndian, isFortranOrder: header.isFortranOrder),
      storage: storage)
  }
}

extension ZipDirectory.Member {
  /// The first bytes of the member, inflated.
  fileprivate func prefix(
    _ file: RawSpan, _ limit: Int, _ place: String, _ letGo: (Range<Int>) -> Void
  ) throws(WeightsError) -> [UInt8] {
    let data = file.extracting(bytes)
    guard isDeflated else { return data.array(in: 0..<min(limit, byteCount)) }
    var prefix: [UInt8] = []
    let fault = Inflate.pieces(
      of: data, expected: byteCount, letGo: { letGo(self.place(of: $0)) }
    ) { piece in
      prefix += piece.array(in: 0..<min(piece.byteCount, limit - prefix.count))
      return prefix.count < limit
    }
    if let fault { throw .malformed(place: place, fault: fault) }
    return prefix
  }

  /// A range of the member's data, counted from the start of the archive.
  fileprivate func place(of range: Range<Int>) -> Range<Int> {
    bytes.lowerBound + range.lowerBound..<bytes.lowerBound + range.upperBound
  }

  /// Reads the member to its end and compares size and CRC-32.
  func verify(in file: MappedFile) throws(WeightsError) {
    var found: UInt32 = 0
    var fault: String?
    if isDeflated {
      fault = file.withBytes(in: bytes) { data in
        Inflate.pieces(
          of: data, expected: byteCount, letGo: { file.letGo(of: self.place(of: $0)) }
        ) { piece in
          found = Inflate.checksum(found, piece)
          return true
        }
      }
    } else {
      file.forEachPiece(in: bytes) { found = Inflate.checksum(found, $0) }
    }
    if fault == nil, found != crc {
      fault = "has CRC-32 \(String(found, radix: 16)), \(String(crc, radix: 16)) is stated"
    }
    if let fault {
      throw .malformed(place: "\(file.path): member \(quoted(name))", fault: fault)
    }
  }
}

/// The values of a deflated npz member, inflated on every request: a small archive may hold far
/// more than fits into memory.
final class DeflatedBytes: Sendable {
  /// Size of the values.
  var byteCount: Int { bytes.count }
  private let file: MappedFile
  private let member: ZipDirectory.Member
  /// The range of the values in the inflated member.
  private let bytes: Range<Int>

  init(file: MappedFile, member: ZipDirectory.Member, bytes: Range<Int>) {
    self.file = file
    self.member = member
    self.bytes = bytes
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
  /// - Throws: if another program has changed the file since the archive was opened, when the
  ///   stream was sound.
  func forEachPiece(of count: Int, _ body: (RawSpan) -> Bool) throws(WeightsError) {
    var collector = PieceCollector(of: count, skipping: bytes.lowerBound)
    var found: UInt32 = 0
    var goesOn = true
    var fault = file.withBytes(in: member.bytes) { data in
      Inflate.pieces(
        of: data, expected: member.byteCount, letGo: { file.letGo(of: member.place(of: $0)) }
      ) { piece in
        found = Inflate.checksum(found, piece)
        goesOn = collector.add(piece, body)
        return goesOn
      }
    }
    // A member that `body` ended early was checked when the archive was opened.
    guard goesOn else { return }
    if fault == nil, found != member.crc { fault = "has another CRC-32 than before" }
    if let fault {
      throw .malformed(
        place: "\(file.path): member \(quoted(member.name))",
        fault: "was changed while it was read: \(fault)")
    }
    _ = collector.finish(body)
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
