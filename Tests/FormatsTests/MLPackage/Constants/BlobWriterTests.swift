import Files
import Formats
import TestSupport
import Testing
import WeightCompression

@Suite struct BlobWriterTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes records and gives the file's path and the records' offsets.
  private func write(
    _ records: [(type: BlobType, count: Int, bytes: [UInt8])]
  ) throws -> (path: String, offsets: [UInt64]) {
    let package = try AtomicFolder(path: folder.path("x"))
    var writer = try BlobWriter(try package.file(at: "weight.bin"))
    var offsets: [UInt64] = []
    for record in records {
      offsets.append(
        try writer.append(record.bytes, type: record.type, elementCount: record.count))
    }
    let byteCount = writer.byteCount
    #expect(try writer.finish() == byteCount)
    try package.commit()
    return (folder.path("x/weight.bin"), offsets)
  }

  private func contents(_ path: String) throws -> [UInt8] {
    try MappedFile.contents(of: path, limit: 1 << 20)
  }

  @Test func nothingWritten() throws {
    let path = try write([]).path
    #expect(try contents(path) == BlobBytes.header(count: 0))
    #expect(try BlobFile(path: path).count == 0)
  }

  @Test func bytesAreAsPrescribed() throws {
    let (path, offsets) = try write([
      (.uint8, 3, [1, 2, 3]), (.uint1, 9, [0x8D, 0x01]), (.float16, 32, [UInt8](0..<64)),
      (.int8, 0, []),
    ])
    #expect(offsets == [64, 192, 320, 448])
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
    let expected: [[UInt8]] = [
      BlobBytes.header(count: 4),
      BlobBytes.record(type: 3, byteCount: 3, dataOffset: 128), [1, 2, 3], zeros(61),
      BlobBytes.record(type: 9, byteCount: 2, dataOffset: 256, padding: 7), [0x8D, 1], zeros(62),
      BlobBytes.record(type: 1, byteCount: 64, dataOffset: 384), [UInt8](0..<64),
      BlobBytes.record(type: 4, byteCount: 0, dataOffset: 512),
    ]
    #expect(try contents(path) == Array(expected.joined()))
  }

  struct Packing: Sendable, CustomTestStringConvertible {
    let type: BlobType
    let elements: [UInt8]
    let hex: String
    let padding: Int
    var testDescription: String { type.name }
  }

  static let packings: [Packing] = [
    Packing(type: .uint1, elements: [1, 0, 1, 1, 0, 0, 0, 1, 1], hex: "8d 01", padding: 7),
    Packing(type: .uint2, elements: [1, 2, 3, 0, 3], hex: "39 03", padding: 6),
    Packing(type: .uint3, elements: [1, 2, 3, 4, 5], hex: "d1 58", padding: 1),
    Packing(type: .uint4, elements: [1, 2, 15], hex: "21 0f", padding: 4),
    Packing(type: .uint6, elements: [1, 2, 63, 33, 7], hex: "81 f0 87 07", padding: 2),
    Packing(type: .int4, elements: [8, 7, 15], hex: "78 0f", padding: 4),
  ]

  @Test(arguments: packings) func packed(_ test: Packing) throws {
    let packed = BitPacking.pack(test.elements, bits: test.type.bitWidth)
    #expect(packed == bytes(hex: test.hex))
    let (path, offsets) = try write([(test.type, test.elements.count, packed)])
    let file = try BlobFile(path: path)
    let record = try file.record(at: offsets[0])
    #expect(record.type == test.type)
    #expect(record.paddingBitCount == test.padding)
    #expect(record.elementCount == test.elements.count)
    #expect(try file.codes(of: record) == test.elements)
  }

  /// Every type in every count around a byte, read back.
  @Test func everyTypeReadsBack() throws {
    var generator = SystemRandomNumberGenerator()
    var records: [(type: BlobType, count: Int, bytes: [UInt8])] = []
    for type in BlobType.allCases {
      for count in [0, 1, 2, 3, 5, 7, 8, 9, 63, 64, 65, 1001] {
        let byteCount = try #require(type.byteCount(of: count))
        var bytes = (0..<byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let unused = byteCount * 8 - count * type.bitWidth
        if let last = bytes.last { bytes[byteCount - 1] = (last << unused) >> unused }
        records.append((type, count, bytes))
      }
    }
    let (path, offsets) = try write(records)
    let file = try BlobFile(path: path)
    #expect(file.count == records.count)
    for (record, offset) in zip(records, offsets) {
      let found = try file.record(at: offset, type: record.type, elementCount: record.count)
      #expect(found.range.lowerBound == Int(offset) + 64)
      #expect(file.bytes(of: found) == record.bytes)
    }
    let last = try file.record(at: try #require(offsets.last))
    #expect(last.range.upperBound == file.byteCount)
  }

  @Test func bytesOfAnotherCountAreOurFault() async {
    await #expect(processExitsWith: .failure) { [place = folder.path("x") as String] in
      let package = try AtomicFolder(path: place)
      var writer = try BlobWriter(try package.file(at: "weight.bin"))
      _ = try writer.append([1, 2, 3], type: .float16, elementCount: 2)
    }
  }

  @Test func byteCounts() {
    #expect(BlobType.uint3.byteCount(of: 8) == 3)
    #expect(BlobType.uint3.byteCount(of: 9) == 4)
    #expect(BlobType.float32.byteCount(of: 0) == 0)
    #expect(BlobType.float32.byteCount(of: .max) == nil)
    #expect(BlobType.uint1.byteCount(of: .max) == 1 << 60)
  }
}
