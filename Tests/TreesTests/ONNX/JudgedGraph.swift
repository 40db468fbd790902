import Foundation
import Testing
import Trees

/// A model that a converter wrote, rows, and what ONNX Runtime gives for them: see `scripts/oracles/trees/make_onnx.py`.
struct JudgedGraph: CustomTestStringConvertible {
  /// What `about.json` says.
  private struct About: Decodable {
    let file: String
    let rows: Int
    let features: Int
    let outputs: Int
    let labels: Bool
    /// Relative to the larger of both numbers, of probabilities to 1; 0 for bit for bit.
    let tolerance: Double
  }

  let folder: String
  let path: String
  let rows: [[TabularCell]]
  let expected: [[Double]]
  /// Nothing where the model has no label.
  let labels: [TabularColumn.Elements]
  let tolerance: Double

  var testDescription: String { folder.split(separator: "/").last.map(String.init) ?? folder }

  /// The folder of the models; nil where no environment made them.
  static let root = JudgedModel.folder.map { "\($0)/onnx" }

  static func names() throws -> [String] {
    guard let root else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: root).sorted()
  }

  init(_ name: String) throws {
    folder = "\(try #require(JudgedGraph.root))/\(name)"
    let about = try JSONDecoder().decode(
      About.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/about.json")))
    path = "\(folder)/\(about.file)"
    tolerance = about.tolerance
    expected = try Self.matrix("\(folder)/expected.f64", about.rows, about.outputs)
    rows =
      FileManager.default.fileExists(atPath: "\(folder)/rows.f64")
      ? try Self.matrix("\(folder)/rows.f64", about.rows, about.features).map { [.numbers($0)] }
      : try Self.lines("\(folder)/rows.jsonl").map { try $0.map(Self.cell) }
    labels = about.labels ? try Self.lines("\(folder)/labels.jsonl").map(Self.label) : []
    try #require(rows.count == about.rows && (labels.isEmpty || labels.count == about.rows))
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

  private static func lines(_ path: String) throws -> [[Any]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
    }
  }

  private static func cell(_ values: Any) throws -> TabularCell {
    if let texts = values as? [String] { return .texts(texts) }
    return .numbers(
      try #require(values as? [Any]).map { $0 is NSNull ? .nan : try #require($0 as? Double) })
  }

  private static func label(_ values: [Any]) throws -> TabularColumn.Elements {
    if let texts = values as? [String] { return .texts(texts) }
    return .integers(try values.map { Int64(try #require($0 as? Int)) })
  }

  /// Compares what the graph gives for every row.
  func judge(_ graph: TabularGraph) throws {
    var faults = 0
    var worst = 0.0
    for (place, row) in rows.enumerated() {
      var numbers: [Double] = []
      var isRight = true
      for (output, value) in zip(graph.outputs, try graph.run(row)) {
        guard output.kind == .label else {
          let scale = if case .probabilities = output.kind { 1.0 } else { 0.0 }
          let found = try #require(value.elements.numbers)
          for (one, other) in zip(found, expected[place].dropFirst(numbers.count)) {
            let difference =
              abs(one - other) / max(abs(one), abs(other), scale, .leastNormalMagnitude)
            worst = max(worst, difference)
            if !(difference <= tolerance) { isRight = false }
          }
          numbers += found
          continue
        }
        if value.elements != labels[place] { isRight = false }
      }
      guard !isRight || numbers.count != expected[place].count else { continue }
      faults += 1
      if faults == 1 {
        Issue.record("\(testDescription): \(row): \(numbers), not \(expected[place])")
      }
    }
    #expect(faults == 0, "\(testDescription), worst \(worst)")
  }
}
