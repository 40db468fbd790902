import Foundation
import Testing
import Trees

/// A model that a library wrote, rows, and the numbers that the library gives for them.
struct JudgedModel: CustomTestStringConvertible {
  /// What `about.json` says.
  private struct About: Decodable {
    let library: String
    let file: String
    let rows: Int
    let features: Int
    let outputs: Int
    /// `outputs`, or `sums`, before the transform.
    let of: String
    /// Relative to the larger of both numbers; 0 for bit for bit.
    let tolerance: Double
  }

  let folder: String
  let path: String
  let rows: [[Double]]
  let expected: [[Double]]
  let isOfSums: Bool
  let tolerance: Double

  var testDescription: String { folder.split(separator: "/").last.map(String.init) ?? folder }

  /// The folder of the models; nil where no environment made them.
  static let folder = ProcessInfo.processInfo.environment["INGOT_TREES"]

  /// The models of a library, by name; none where no environment made them.
  static func all(of library: String) throws -> [JudgedModel] {
    guard let root = folder.map({ "\($0)/\(library)" }) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: root).sorted()
      .map { try JudgedModel(folder: "\(root)/\($0)") }
  }

  init(folder: String) throws {
    let about = try JSONDecoder().decode(
      About.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/about.json")))
    self.folder = folder
    path = "\(folder)/\(about.file)"
    rows = try Self.matrix("\(folder)/rows.f64", about.rows, about.features)
    expected = try Self.matrix("\(folder)/expected.f64", about.rows, about.outputs)
    isOfSums = about.of == "sums"
    tolerance = about.tolerance
  }

  /// Rows of doubles, the lowest byte first.
  private static func matrix(_ path: String, _ rows: Int, _ columns: Int) throws -> [[Double]] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    try #require(bytes.count == 8 * rows * columns, "\(path)")
    let values = stride(from: 0, to: bytes.count, by: 8).map { start in
      Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) })
    }
    return (0..<rows).map { Array(values[$0 * columns..<($0 + 1) * columns]) }
  }

  /// Compares what the evaluator gives for every row.
  func judge(_ ensemble: TreeEnsemble) throws {
    try #require(ensemble.featureCount == rows.first?.count)
    var faults = 0
    for (row, expected) in zip(rows, expected) {
      let found = isOfSums ? ensemble.sums(of: row) : ensemble.outputs(of: row)
      try #require(found.count == expected.count)
      for (one, other) in zip(found, expected)
      where !(abs(one - other) <= tolerance * max(abs(one), abs(other))) {
        faults += 1
        if faults == 1 { Issue.record("\(testDescription): \(row): \(found), not \(expected)") }
      }
    }
    #expect(faults == 0, "\(testDescription)")
  }
}
