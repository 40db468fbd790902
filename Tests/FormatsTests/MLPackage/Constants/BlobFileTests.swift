import Files
import Formats
import TestSupport
import Testing

@Suite struct BlobFileTests {
  let folder: TemporaryFolder
  var path: String { folder.path("weight.bin") }

  init() throws { folder = try TemporaryFolder() }

  private func open(_ bytes: [UInt8]) throws -> BlobFile {
    try AtomicFile.write(bytes, to: path)
    return try BlobFile(path: path)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var offset: UInt64 = 64
    let fault: String
    var testDescription: String { name }
  }

  static let data: [UInt8] = [1, 2, 3, 4]

  static func record(_ name: String, _ record: [UInt8], _ fault: String) -> Case {
    Case(
      name: name, bytes: BlobBytes.header() + record + data,
      fault: "the weights record at 64 " + fault)
  }

  static let sound = BlobBytes.header() + BlobBytes.record() + data

  static let hostile: [Case] = [
    Case(
      name: "empty file", bytes: [], fault: "the weights file has 0 bytes, its header takes 64"),
    Case(
      name: "truncated header", bytes: Array(sound.prefix(63)),
      fault: "the weights file has 63 bytes, its header takes 64"),
    Case(
      name: "version 1", bytes: BlobBytes.header(version: 1) + BlobBytes.record() + data,
      fault: "the weights file has version 1, expected 2"),
    Case(
      name: "big-endian version", bytes: BlobBytes.header(version: 0x0200_0000),
      fault: "the weights file has version 33554432, expected 2"),
    Case(
      name: "more records than fit",
      bytes: BlobBytes.header(count: .max) + BlobBytes.record() + data,
      fault: "the weights file says it holds 4294967295 records, its 132 bytes hold at most 1"),
    Case(
      name: "one record in a header's place", bytes: BlobBytes.header(count: 1),
      fault: "the weights file says it holds 1 records, its 64 bytes hold at most 0"),
    Case(
      name: "offset of the header", bytes: sound, offset: 0,
      fault: "the weights record at 0 lies in the header, which takes 64 bytes"),
    Case(
      name: "offset between", bytes: sound, offset: 65,
      fault: "the weights record at 65 is not at a multiple of 64"),
    Case(
      name: "offset of the data", bytes: sound, offset: 128,
      fault: "the weights record at 128 needs 64 bytes, the file has 132"),
    Case(
      name: "offset beyond the end", bytes: sound, offset: 192,
      fault: "the weights record at 192 needs 64 bytes, the file has 132"),
    Case(
      name: "largest offset", bytes: sound, offset: .max - 63,
      fault: "the weights record at 18446744073709551552 needs 64 bytes, the file has 132"),
    Case(
      name: "truncated record", bytes: Array(sound.prefix(127)),
      fault: "the weights file says it holds 1 records, its 127 bytes hold at most 0"),
    Case(
      name: "truncated data", bytes: Array(sound.dropLast()),
      fault: "the weights record at 64 has 4 bytes of data at 128, the file has 131"),
    record(
      "wrong sentinel", BlobBytes.record(sentinel: 0xEFBE_ADDE),
      "begins with 0xefbeadde, expected 0xdeadbeef"),
    record(
      "no sentinel", BlobBytes.record(sentinel: 0), "begins with 0x00000000, expected 0xdeadbeef"),
    record(
      "type 0", BlobBytes.record(type: 0), "has the unknown type code 0, known are 1 to 17"),
    record(
      "type 18", BlobBytes.record(type: 18), "has the unknown type code 18, known are 1 to 17"),
    record(
      "type 99", BlobBytes.record(type: 99), "has the unknown type code 99, known are 1 to 17"),
    record(
      "data between", BlobBytes.record(dataOffset: 129),
      "has its data at 129, which is not a multiple of 64"),
    record(
      "data in the header", BlobBytes.record(dataOffset: 0), "has its data at 0, in the header"),
    record(
      "data beyond the end", BlobBytes.record(dataOffset: 192),
      "has 4 bytes of data at 192, the file has 132"),
    record(
      "data at the largest offset", BlobBytes.record(dataOffset: .max - 63),
      "has 4 bytes of data at 18446744073709551552, the file has 132"),
    record(
      "largest size", BlobBytes.record(byteCount: .max),
      "has 18446744073709551615 bytes of data at 128, the file has 132"),
    record(
      "sizes that overflow to something small",
      BlobBytes.record(byteCount: .max - 127, dataOffset: 128),
      "has 18446744073709551488 bytes of data at 128, the file has 132"),
    record(
      "padding of whole bytes", BlobBytes.record(padding: 1),
      "has 1 bits of padding, at most 0 fit uint8"),
    record(
      "padding of 8", BlobBytes.record(type: 9, padding: 8),
      "has 8 bits of padding, at most 7 fit uint1"),
    record(
      "largest padding", BlobBytes.record(type: 11, padding: .max),
      "has 18446744073709551615 bits of padding, at most 7 fit uint4"),
    record(
      "part of an element left", BlobBytes.record(type: 11, padding: 1),
      "has 4 bytes of data with 1 bits of padding, not a whole number of uint4"),
    record(
      "half a half", BlobBytes.record(type: 1, byteCount: 3),
      "has 3 bytes of data with 0 bits of padding, not a whole number of float16"),
    record(
      "padding of nothing", BlobBytes.record(type: 9, byteCount: 0, padding: 1),
      "has 0 bytes of data with 1 bits of padding, not a whole number of uint1"),
  ]

  @Test(arguments: hostile) func refuses(_ test: Case) throws {
    let found = message { _ = try open(test.bytes).record(at: test.offset) }
    #expect(found == "\(path): is not a sound Core ML package: \(test.fault)")
  }

  @Test func theCasesDifferFromThis() throws {
    let file = try open(BlobFileTests.sound)
    #expect(file.count == 1)
    #expect(file.byteCount == 132)
    #expect(file.path == path)
    let record = try file.record(at: 64)
    #expect(record == (try file.record(at: 64, type: .uint8, elementCount: 4)))
    #expect(record.elementCount == 4)
    #expect(record.byteCount == 4)
    #expect(record.range == 128..<132)
    #expect(file.bytes(of: record) == [1, 2, 3, 4])
  }

  @Test func otherThanTheProgramSays() throws {
    let file = try open(BlobFileTests.sound)
    #expect(
      message { _ = try file.record(at: 64, type: .int8, elementCount: 4) }
        == "\(path): is not a sound Core ML package: the weights record at 64 holds uint8, "
        + "the program says int8")
    #expect(
      message { _ = try file.record(at: 64, type: .uint8, elementCount: 5) }
        == "\(path): is not a sound Core ML package: the weights record at 64 holds 4 elements, "
        + "the program says 5")
    let record = try file.record(at: 64)
    #expect(
      message { _ = try file.floats(of: record) }
        == "\(path): is not a sound Core ML package: the weights record at 64 holds uint8, "
        + "expected float16, float32 or bfloat16")
  }

  /// The rest of a description may hold anything: older writers left it as it was.
  @Test func reservedBytesAreNotRead() throws {
    var bytes = BlobFileTests.sound
    for index in 96..<128 { bytes[index] = 0xAA }
    for index in 8..<64 { bytes[index] = 0xAA }
    let file = try open(bytes)
    #expect(file.bytes(of: try file.record(at: 64)) == [1, 2, 3, 4])
  }

  @Test func aMissingFile() {
    #expect(
      message { _ = try BlobFile(path: path) }
        == "\(path): cannot open: no such file or directory")
    #expect(
      message { _ = try BlobFile(path: folder.path) }
        == "\(folder.path): is a folder, expected a regular file")
  }

  @Test func floatsOfEveryKind() throws {
    let cases: [(UInt32, String, [Float])] = [
      (1, "00 3c 00 c0 01 00 00 7c", [1, -2, 0x1p-24, .infinity]),
      (2, "00 00 80 3f 00 00 00 c0", [1, -2]),
      (5, "80 3f 00 c0", [1, -2]),
    ]
    for (type, text, values) in cases {
      let data = bytes(hex: text)
      let file = try open(
        BlobBytes.header() + BlobBytes.record(type: type, byteCount: UInt64(data.count)) + data)
      let record = try file.record(at: 64)
      #expect(try file.floats(of: record) == values)
      #expect(
        message { _ = try file.codes(of: record) }
          == "\(path): is not a sound Core ML package: the weights record at 64 holds "
          + "\(record.type.name), expected integers of at most 8 bits")
    }
  }

  @Test func integersOfEveryKind() throws {
    let cases: [(UInt32, String, UInt64, [Int32])] = [
      (3, "00 7f ff", 0, [0, 127, 255]),
      (4, "00 7f ff 80", 0, [0, 127, -1, -128]),
      (6, "ff 7f ff ff", 0, [32767, -1]),
      (7, "ff 7f ff ff", 0, [32767, 65535]),
      (8, "78 0f", 4, [-8, 7, -1]),
      (9, "8d 01", 7, [1, 0, 1, 1, 0, 0, 0, 1, 1]),
      (10, "39 03", 6, [1, 2, 3, 0, 3]),
      (11, "21 0f", 4, [1, 2, 15]),
      (12, "d1 58", 1, [1, 2, 3, 4, 5]),
      (13, "81 f0 87 07", 2, [1, 2, 63, 33, 7]),
      (14, "ff ff ff 7f ff ff ff ff", 0, [.max, -1]),
    ]
    for (type, text, padding, values) in cases {
      let data = bytes(hex: text)
      let file = try open(
        BlobBytes.header()
          + BlobBytes.record(type: type, byteCount: UInt64(data.count), padding: padding) + data)
      let record = try file.record(at: 64)
      #expect(record.elementCount == values.count)
      #expect(try file.integers(of: record) == values)
    }
  }
}
