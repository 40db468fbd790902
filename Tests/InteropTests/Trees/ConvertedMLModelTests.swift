import Formats
import Foundation
import Graph
import Inputs
import Testing

/// What coremltools made of estimators of scikit-learn and XGBoost, opened as models.
@Suite(
  .enabled(
    if: ConvertedFolder.root != nil,
    "no conversions by coremltools: run scripts/test"))
struct ConvertedMLModelTests {
  @Test func conversionsRunAsTheLibrariesDo() throws {
    let folders = try ConvertedFolder.all()
    try #require(folders.count >= 20)
    var refused: [String: String] = [:]
    for folder in folders {
      let model: Model
      do {
        model = try ModelLoader.open(folder.model)
      } catch let error as TabularError {
        refused[folder.name] = error.description
        continue
      }
      let rows = try folder.rows()
      let found = try ModelRunner(model: model, jobs: 1).outputs(
        for: rows.map { Input.values($0) })
      let expected = try folder.expected(rows.count)
      for (place, wanted) in expected.enumerated() {
        let numbers = Array(found[place])
        for (value, number) in zip(numbers, wanted.suffix(numbers.count)) {
          let scaled = folder.scale * number
          #expect(
            abs(Double(value) - scaled) <= 2e-6 * max(1, abs(scaled)), "\(folder.name): \(value)")
        }
      }
    }
    #expect(folders.count - refused.count >= 15, "\(refused)")
    for (name, reason) in refused { #expect(reason.contains("step "), "\(name): \(reason)") }
  }
}

/// A folder that `scripts/oracles/make_tabular_coreml.py` wrote.
struct ConvertedFolder {
  private struct About: Decodable {
    let rows: Int
    let theirScale: Double
  }

  static let root = ProcessInfo.processInfo.environment["INGOT_COREML_TABLES"]

  let name: String
  let folder: String
  /// What coremltools' probabilities are too large by.
  let scale: Double
  private let count: Int

  var model: String { "\(folder)/theirs.mlmodel" }

  static func all() throws -> [ConvertedFolder] {
    guard let root else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: root).sorted().map {
      try ConvertedFolder("\(root)/\($0)", $0)
    }
  }

  private init(_ folder: String, _ name: String) throws {
    let about = try JSONDecoder().decode(
      About.self, from: Data(contentsOf: URL(filePath: "\(folder)/about.json")))
    (self.folder, self.name, scale, count) = (folder, name, about.theirScale, about.rows)
  }

  func rows() throws -> [[Double]] { try matrix("rows.f64", count) }
  func expected(_ rows: Int) throws -> [[Double]] { try matrix("expected.f64", rows) }

  private func matrix(_ file: String, _ rows: Int) throws -> [[Double]] {
    let data = try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
    let values = data.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
    let width = values.count / rows
    return (0..<rows).map { Array(values[$0 * width..<($0 + 1) * width]) }
  }
}
