import Files
import Formats
import Foundation
import Graph
import TestSupport
import Testing
import WeightCompression

/// Weight files of packages, read with Apple's own reader.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct CoreMLBlobInteropTests {
  /// One record, and what its elements are.
  private struct Record {
    let type: BlobType
    let values: [Double]
    let bytes: [UInt8]

    /// Elements that use all bits of the type, among them the least and the greatest.
    init(_ type: BlobType, count: Int) {
      self.type = type
      let width = type.bitWidth
      let words = (0..<count).map { (UInt64($0) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - width) }
      switch type {
      case .float16, .float32:
        let floats = (0..<count).map { Float($0 % 97) * 0.375 - 17 }
        values = floats.map(Double.init)
        bytes = Record.bytes(
          type == .float16
            ? floats.map { UInt64(Record.half($0)) }
            : floats.map { UInt64($0.bitPattern) }, width)
      case .int4, .int8, .int16, .int32:
        let bound = UInt64(1) << UInt64(width - 1)
        values = words.map { $0 < bound ? Double($0) : Double($0) - Double(2 * bound) }
        bytes = Record.bytes(words, width)
      default:
        values = words.map { Double($0) }
        bytes = Record.bytes(words, width)
      }
    }

    private static func bytes(_ words: [UInt64], _ width: Int) -> [UInt8] {
      guard width >= 8 else { return BitPacking.pack(words.map { UInt8($0) }, bits: width) }
      return words.flatMap { word in
        (0..<width / 8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
      }
    }

    /// The bits of a number that a half holds exactly.
    private static func half(_ value: Float) -> UInt32 {
      guard value != 0 else { return 0 }
      let bits = value.bitPattern
      return bits >> 16 & 0x8000 | ((bits >> 23 & 0xFF) - 112) << 10 | bits >> 13 & 0x3FF
    }
  }

  /// All that Apple's reader knows; it has none for BF16 and the two kinds of 8-bit floats.
  private static let types = BlobType.allCases.filter {
    ![.bfloat16, .float8E4M3FN, .float8E5M2].contains($0)
  }

  @Test func appleReadsEveryTypeAndCount() throws {
    #expect(Self.types.count == 14)
    let folder = try TemporaryFolder()
    let written = try AtomicFolder(path: folder.path("records"))
    var writer = try BlobWriter(try written.file(at: "weight.bin"))
    var records: [(record: Record, offset: UInt64)] = []
    for count in [1, 2, 3, 5, 7, 8, 9, 13, 31, 64, 65, 1001] {
      for type in Self.types {
        let record = Record(type, count: count)
        let offset = try writer.append(record.bytes, type: type, elementCount: count)
        records.append((record, offset))
      }
    }
    try writer.finish()
    try written.commit()
    let text = try Oracle.run(
      "read_records.py",
      [folder.path("records/weight.bin")]
        + records.map { "\($0.record.type.name.uppercased()):\($0.offset)" })
    let lines = text.split(separator: "\n")
    #expect(lines.count == records.count)
    let ours = try BlobFile(path: folder.path("records/weight.bin"))
    for ((record, offset), line) in zip(records, lines) {
      let found = try JSONDecoder().decode([Double].self, from: Data(line.utf8))
      #expect(found == record.values, "\(record.type.name) × \(record.values.count)")
      let read = try ours.record(
        at: offset, type: record.type, elementCount: record.values.count)
      #expect(ours.bytes(of: read) == record.bytes)
    }
  }

  /// The records fill the file, and are what the program says, to a reader that is not ours.
  @Test func everyRecordOfAPackageIsFound() throws {
    let folder = try TemporaryFolder()
    let model = try ModelLoader.open(
      "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder")
    let schemes: [Scheme?] = [
      nil, .int8(.perChannel), .palette(bits: 3, .perTensor), .palette(bits: 6, .perTensor),
      .palette(bits: 1, .perGroup(size: 2)),
    ]
    var packages: [String] = []
    for (index, scheme) in schemes.enumerated() {
      let weights = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: scheme, floats: .float16), jobs: 2)
      for target in [nil, DeploymentTarget.iOS18] {
        let path = folder.path("\(index)-\(target?.rawValue ?? "lowest").mlpackage")
        _ = try CoreMLPackage(options: CoreMLOptions(target: target)).writeUnproven(
          weights, of: model, recipe: scheme.label, to: path)
        packages.append(path)
      }
    }
    let lines = try Oracle.run("read_blobs.py", packages).split(separator: "\n")
    #expect(lines.count == packages.count)
    for line in lines {
      let json = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(json?["blobs"] as? Int ?? 0 > 30)
    }
  }
}
