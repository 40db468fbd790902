import Formats
import Foundation
import Graph
import IngotFeatures
import Inputs
import TestSupport
import Testing
import Trees

/// Pipelines as converters write them, opened and run as everything else is.
@Suite(.enabled(if: PipelineFolder.root != nil, "no models of tables: run scripts/test"))
struct TableModelInteropTests {
  /// What has no step, with what the message names.
  static let refused = [
    "forest-several": "computes numbers of the label that another step gives",
    "hand-four-logistic": "'label' is not the class of the largest number of 4",
    "hand-four-softmax": "'label' is not the class of the largest number of 4",
    "hand-four-zero": "computes 'SOFTMAX_ZERO'",
    "hand-max-1": "computes the 'MAX' of trees",
    "hand-max-2": "computes the 'MAX' of trees",
    "hand-min-1": "computes the 'MIN' of trees",
    "hand-min-2": "computes the 'MIN' of trees",
    "hand-plain": "Floor: no step of a model of tables computes 'Floor'",
    "hand-two-both-softmax": "'label' is not the class of the largest number of 2",
    "hand-two-share-logistic": "'label' is not the class of the largest number of 2",
    "isolation": "Log 'eqp_log0_Log': no step of a model of tables computes 'Log'",
  ]

  @Test func thereAreModels() throws {
    let names = try PipelineFolder.names()
    #expect(names.count >= 90)
    #expect(Self.refused.keys.allSatisfy(names.contains))
  }

  @Test(arguments: try PipelineFolder.names())
  func outputsAreThoseOfTheRuntime(_ name: String) throws {
    let folder = try PipelineFolder(name)
    if let words = Self.refused[name] {
      let error = #expect(throws: (any Error).self) { try ModelLoader.open(folder.model) }
      #expect("\(try #require(error))".contains(words))
      return
    }
    let model = try ModelLoader.open(folder.model)
    let ours = try ModelRunner(model: model, jobs: 2).outputs(
      for: try folder.rows(of: model).map { Input.values($0) })
    var worst = 0.0
    var wrong = 0
    for (number, expected) in folder.expected.enumerated() {
      let found = Array(ours[number])
      let wanted = expected.count == 2 && found.count == 1 ? [expected[1]] : expected
      try #require(found.count == wanted.count)
      for (column, (one, other)) in zip(found, wanted).enumerated() {
        let difference = abs(Double(one) - other) / folder.sizes[column]
        worst = max(worst, difference.isNaN ? .infinity : difference)
      }
      if !folder.labels.isEmpty,
        case .classes(let labels, _, let scale) = model.architecture.output,
        folder.labels[number] != Self.label(found, labels, scale)
      {
        wrong += 1
      }
    }
    #expect(worst <= 1e-6, "\(name)")
    #expect(wrong == 0, "\(name): labels")
    #expect(folder.expected.count >= 100)
  }

  private static func label(_ found: [Float], _ labels: ClassLabels, _ scale: ScoreScale) -> String
  {
    guard found.count > 1 else {
      return labels.plain[found[0] > (scale == .probabilities ? 0.5 : 0) ? 1 : 0]
    }
    var best = 0
    for place in found.indices where found[place] > found[best] { best = place }
    return labels.plain[best]
  }
}

/// A model that a converter wrote, and what ONNX Runtime gives for rows.
struct PipelineFolder {
  private struct About: Decodable {
    let file: String
    let features: Int
    let outputs: Int
    let labels: Bool
  }

  static let root = ProcessInfo.processInfo.environment["INGOT_TREES"].map { "\($0)/onnx" }

  static func names() throws -> [String] {
    guard let root else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: root).sorted()
  }

  let model: String
  let expected: [[Double]]
  /// Texts, or whole numbers in digits; nothing where the model gives none.
  let labels: [String]
  /// What differences of an output are compared with: its largest number, of a classifier at least 1.
  let sizes: [Double]
  private let numbers: [[Double]]?
  private let cells: [[Any]]

  init(_ name: String) throws {
    let folder = "\(try #require(Self.root))/\(name)"
    let about = try JSONDecoder().decode(
      About.self, from: Data(contentsOf: URL(filePath: "\(folder)/about.json")))
    model = "\(folder)/\(about.file)"
    expected = try Self.matrix("\(folder)/expected.f64", about.outputs)
    let isTable = FileManager.default.fileExists(atPath: "\(folder)/rows.f64")
    numbers = isTable ? try Self.matrix("\(folder)/rows.f64", about.features) : nil
    cells = isTable ? [] : try Self.lines("\(folder)/rows.jsonl")
    labels =
      about.labels
      ? try Self.lines("\(folder)/labels.jsonl").map { $0.map { "\($0)" }.joined(separator: ",") }
      : []
    let all = expected
    sizes = (0..<about.outputs).map { column in
      let largest = all.map { abs($0[column]) }.max() ?? 1
      return about.labels ? max(1, largest) : largest
    }
  }

  /// Rows in numbers: a text is the place of its category, and −1 where it is none.
  func rows(of model: Model) throws -> [[Double]] {
    if let numbers { return numbers }
    guard case .features(let schema) = model.architecture.input else { return [] }
    let features = schema.features
    return try cells.map { (row: [Any]) -> [Double] in
      let values: [Any] = try row.flatMap { try #require($0 as? [Any]) }
      try #require(values.count == features.count)
      return try zip(values, features).map { (value, feature) -> Double in
        if value is NSNull { return .nan }
        guard let text = value as? String else { return try #require(value as? Double) }
        guard case .category(let list) = feature.kind else { return .nan }
        return Double(list.names.firstIndex(of: text) ?? -1)
      }
    }
  }

  private static func lines(_ path: String) throws -> [[Any]] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [Any])
    }
  }

  private static func matrix(_ path: String, _ columns: Int) throws -> [[Double]] {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let values = bytes.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
    return stride(from: 0, to: values.count, by: columns).map {
      Array(values[$0..<min($0 + columns, values.count)])
    }
  }
}
