import StrictJSON

/// The members of a zip archive, as its central directory lists them.
///
/// A value of this type means: the members' data are inside the file, before the directory, and do
/// not overlap. Accepts only what numpy writes: stored and deflated members, not encrypted, no
/// ZIP64. The layout follows PKWARE's APPNOTE.
struct ZipDirectory: Sendable {
  /// One file of the archive.
  struct Member: Sendable, Equatable {
    let name: String
    let isDeflated: Bool
    let crc: UInt32
    /// Size once inflated.
    let byteCount: Int
    /// The range of the stored or deflated data in the archive.
    let bytes: Range<Int>
  }

  /// In the order of the directory.
  let members: [Member]

  /// Largest directory read, in bytes.
  static let byteLimit = 16 << 20

  /// Reads the directory and checks it against the archive.
  ///
  /// - Parameter letGo: called with ranges of the archive that are no longer needed.
  init(
    _ file: RawSpan, path: String, letGo: (Range<Int>) -> Void = { _ in }
  ) throws(WeightsError) {
    let end = try EndRecord(file, path: path)
    var members: [Member] = []
    var names: Set<ExactString> = []
    var offset = end.directory.lowerBound
    for index in 0..<end.memberCount {
      // Each member's own header is on a page of its own.
      if index % 64 == 0 { letGo(0..<end.directory.lowerBound) }
      let record = try CentralRecord(file, at: offset, limit: end.directory.upperBound, path: path)
      guard names.insert(ExactString(record.name)).inserted else {
        throw .malformed(place: path, fault: "holds \(quoted(record.name)) twice")
      }
      members.append(
        try record.member(file, dataLimit: end.directory.lowerBound, path: path))
      offset += record.byteCount
    }
    guard offset == end.directory.upperBound else {
      throw .malformed(
        place: path,
        fault: "the directory has \(end.directory.count) bytes, its \(end.memberCount) members"
          + " take \(offset - end.directory.lowerBound)")
    }
    try ZipDirectory.checkOverlaps(members, path)
    self.members = members
  }

  /// Overlapping members would let a small file unfold to any size.
  private static func checkOverlaps(
    _ members: [Member], _ path: String
  ) throws(WeightsError) {
    var end = 0
    for member in members.sorted(by: { $0.bytes.lowerBound < $1.bytes.lowerBound }) {
      guard member.bytes.lowerBound >= end else {
        throw .malformed(
          place: path,
          fault: "member \(quoted(member.name)) starts at byte \(member.bytes.lowerBound), inside"
            + " the one before it, which ends at \(end)")
      }
      end = member.bytes.upperBound
    }
  }
}

/// The record at the end of an archive that says where the directory is.
private struct EndRecord {
  static let byteCount = 22
  let memberCount: Int
  let directory: Range<Int>

  init(_ file: RawSpan, path: String) throws(WeightsError) {
    func malformed(_ fault: String) -> WeightsError { .malformed(place: path, fault: fault) }
    guard let start = EndRecord.start(in: file) else {
      throw malformed("has no zip directory at its end; the file looks truncated")
    }
    let disks = file.littleEndian(at: start + 4, as: UInt32.self)
    let here = file.littleEndian(at: start + 8, as: UInt16.self)
    let count = file.littleEndian(at: start + 10, as: UInt16.self)
    let size = file.littleEndian(at: start + 12, as: UInt32.self)
    let offset = file.littleEndian(at: start + 16, as: UInt32.self)
    guard count != .max, size != .max, offset != .max else {
      throw malformed("is a ZIP64 archive, which is not read; save the arrays as npy files")
    }
    guard disks == 0, here == count else {
      throw malformed("is one part of an archive in several parts")
    }
    let end = EndRecord.directoryEnd(in: file, before: start)
    guard Int(offset) + Int(size) == end else {
      throw malformed(
        "the directory is said to lie at \(offset) with \(size) bytes, it must end at \(end)")
    }
    guard size <= ZipDirectory.byteLimit else {
      throw malformed("the directory has \(size) bytes, the limit is \(ZipDirectory.byteLimit)")
    }
    memberCount = Int(count)
    directory = Int(offset)..<end
  }

  /// Where the directory must end: before this record, or before the records of ZIP64 that some
  /// writers (PyTorch's) add although the numbers fit without.
  private static func directoryEnd(in file: RawSpan, before start: Int) -> Int {
    let (recordByteCount, locatorByteCount) = (56, 20)
    let record = start - recordByteCount - locatorByteCount
    guard record >= 0, file.littleEndian(at: record, as: UInt32.self) == 0x0606_4B50,
      file.littleEndian(at: record + recordByteCount, as: UInt32.self) == 0x0706_4B50
    else { return start }
    return record
  }

  /// The last place of a record whose comment fills the rest of the file.
  private static func start(in file: RawSpan) -> Int? {
    var start = file.byteCount - byteCount
    let first = max(0, start - 0xFFFF)
    while start >= first {
      if file.littleEndian(at: start, as: UInt32.self) == 0x0605_4B50,
        start + byteCount + Int(file.littleEndian(at: start + 20, as: UInt16.self))
          == file.byteCount
      {
        return start
      }
      start -= 1
    }
    return nil
  }
}

/// One entry of the central directory.
private struct CentralRecord {
  let name: String
  /// Size of the entry itself.
  let byteCount: Int
  private let nameBytes: [UInt8]
  private let flags: UInt16
  private let method: UInt16
  private let crc: UInt32
  private let compressed: UInt32
  private let uncompressed: UInt32
  private let headerOffset: UInt32

  init(_ file: RawSpan, at start: Int, limit: Int, path: String) throws(WeightsError) {
    guard limit - start >= 46, file.littleEndian(at: start, as: UInt32.self) == 0x0201_4B50 else {
      throw .malformed(place: path, fault: "the zip directory is damaged at byte \(start)")
    }
    flags = file.littleEndian(at: start + 8, as: UInt16.self)
    method = file.littleEndian(at: start + 10, as: UInt16.self)
    crc = file.littleEndian(at: start + 16, as: UInt32.self)
    compressed = file.littleEndian(at: start + 20, as: UInt32.self)
    uncompressed = file.littleEndian(at: start + 24, as: UInt32.self)
    headerOffset = file.littleEndian(at: start + 42, as: UInt32.self)
    let nameCount = Int(file.littleEndian(at: start + 28, as: UInt16.self))
    let extraCount = Int(file.littleEndian(at: start + 30, as: UInt16.self))
    let commentCount = Int(file.littleEndian(at: start + 32, as: UInt16.self))
    byteCount = 46 + nameCount + extraCount + commentCount
    guard byteCount <= limit - start else {
      throw .malformed(place: path, fault: "the zip directory is damaged at byte \(start)")
    }
    nameBytes = file.array(in: start + 46..<start + 46 + nameCount)
    guard let name = String(utf8: nameBytes) else {
      throw .malformed(
        place: path, fault: "the name of the member at byte \(start) is not valid UTF-8")
    }
    self.name = name
  }

  /// The member, its own header and its place checked.
  func member(
    _ file: RawSpan, dataLimit: Int, path: String
  ) throws(WeightsError) -> ZipDirectory.Member {
    func malformed(_ fault: String) -> WeightsError {
      .malformed(place: path, fault: "member \(quoted(name)) \(fault)")
    }
    guard flags & 1 == 0 else { throw malformed("is encrypted") }
    guard method == 0 || method == 8 else {
      throw malformed("is compressed by method \(method), read are 0 (stored) and 8 (deflated)")
    }
    guard compressed != .max, uncompressed != .max, headerOffset != .max else {
      throw malformed("uses ZIP64, which is not read; save the array as an npy file")
    }
    guard method == 8 || compressed == uncompressed else {
      throw malformed("is stored in \(compressed) bytes, \(uncompressed) are stated")
    }
    let start = Int(headerOffset)
    guard start + 30 <= dataLimit,
      file.littleEndian(at: start, as: UInt32.self) == 0x0403_4B50
    else { throw malformed("has no header at byte \(start)") }
    let nameCount = Int(file.littleEndian(at: start + 26, as: UInt16.self))
    let extraCount = Int(file.littleEndian(at: start + 28, as: UInt16.self))
    let dataStart = start + 30 + nameCount + extraCount
    guard dataStart + Int(compressed) <= dataLimit else {
      throw malformed(
        "ends at byte \(dataStart + Int(compressed)), the directory starts at"
          + " \(dataLimit)")
    }
    guard nameBytes == file.array(in: start + 30..<start + 30 + nameCount),
      method == file.littleEndian(at: start + 8, as: UInt16.self)
    else { throw malformed("is named or compressed otherwise in its own header") }
    return ZipDirectory.Member(
      name: name, isDeflated: method == 8, crc: crc, byteCount: Int(uncompressed),
      bytes: dataStart..<dataStart + Int(compressed))
  }
}
