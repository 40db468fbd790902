import Formats
import Foundation
import Graph
import IngotFeatures
import Inputs
import Testing

/// What coremltools made of estimators of scikit-learn and XGBoost, opened as models.
@Suite(
  .enabled(
    if: ConvertedFolder.root != nil,
    "no conversions by coremltools: run scripts/test"))
struct ConvertedMLModelTests {
  /// Encoders, imputers, scalers and normalizers before trees and linear models are in the model that opens.
  @Test func conversionsRunAsTheLibrariesDo() throws {
    let folders = try ConvertedFolder.all()
    try #require(folders.count >= 28)
    for folder in folders {
      let model = try ModelLoader.open(folder.model)
      let inputs = try folder.inputs(of: model)
      let found = try ModelRunner(model: model, jobs: 1).outputs(for: inputs)
      let expected = try folder.expected(inputs.count)
      var worst = 0.0
      for (place, wanted) in expected.enumerated() {
        let numbers = Array(found[place])
        for (value, number) in zip(numbers, wanted.suffix(numbers.count)) {
          let scaled = folder.scale * number
          worst = max(worst, abs(Double(value) - scaled) / max(1, abs(scaled)))
          if value.isNaN { worst = .infinity }
        }
      }
      #expect(worst <= 2e-6, "\(folder.name)")
    }
  }

  /// Votes that coremltools did not divide are no probabilities.
  @Test func sumsOfVotesAreScores() throws {
    var found: [ScoreScale: Int] = [:]
    for folder in try ConvertedFolder.all() {
      guard case .classes(_, _, let scale) = try ModelLoader.open(folder.model).architecture.output
      else { continue }
      #expect((scale == .scores) == (folder.scale != 1), "\(folder.name)")
      found[scale, default: 0] += 1
    }
    #expect(found[.scores, default: 0] > 0 && found[.probabilities, default: 0] > 5)
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

  /// Rows by place, or where the file takes a dictionary by its keys: those that a row lacks are missing.
  func inputs(of model: Model) throws -> [Input] {
    guard FileManager.default.fileExists(atPath: "\(folder)/rows.json") else {
      return try matrix("rows.f64", count).map { Input.values($0) }
    }
    let rows = try JSONDecoder().decode(
      [[String: [String: Double]]].self,
      from: Data(contentsOf: URL(filePath: "\(folder)/rows.json")))
    guard case .features(let schema) = model.architecture.input else { return [] }
    let names = schema.names
    return rows.map { row in
      let facts = row["facts"] ?? [:]
      return .named(
        NamedFeatures(
          names: names,
          values: names.map { name in facts[name].map { .number($0) } ?? .missing }))
    }
  }

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
