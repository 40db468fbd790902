import Formats
import Foundation
import Graph
import IngotFeatures
import Inputs
import TestSupport
import Testing
import Trees
import Weights

/// Rows by the names of their features, with the texts of categories, judged by the numbers of the library
/// that trained on those texts.
///
/// The texts are those of the scripts that trained the models, in the order in which the library numbers
/// them; no name is taken from our reading of a model.
@Suite(.enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"))
struct NamedRowTests {
  /// A model, and what the columns of its rows are.
  struct Case: CustomTestStringConvertible {
    let folder: String
    /// Names of the features, and of the categories of those that have some.
    let columns: [(name: String, categories: [String])]
    /// What a code without a category is called.
    var unseen: [String: FeatureValue] = [:]
    var testDescription: String { folder }

    /// - Parameter isWhole: whether whole numbers are given as numbers.
    func value(_ number: Double, _ column: Int, isWhole: Bool) -> FeatureValue {
      let (name, categories) = columns[column]
      if number.isNaN { return .missing }
      if categories.isEmpty { return .number(number) }
      guard let code = Int(exactly: number), categories.indices.contains(code) else {
        return unseen[name] ?? .missing
      }
      if isWhole, let whole = Double(categories[code]) { return .number(whole) }
      return .text(categories[code])
    }
  }

  private static let colours = ["blue", "green", "red", "white"]
  /// XGBoost counts characters where it cuts bytes: the file has another letter in each name from
  /// 'Zürich' on.
  private static let towns: [String] = {
    let names = ["Ulm", "Zürich", ""] + (0..<9).map { "t\($0)" }
    var bytes = Array(names.joined().utf8)[...]
    return names.map { name in
      defer { bytes = bytes.dropFirst(name.count) }
      return String(decoding: bytes.prefix(name.count), as: UTF8.self)
    }
  }()

  static let cases: [Case] =
    ["histograms-categories", "histograms-categories-of-3", "histograms-categories-regressor"].map {
      Case(
        folder: "sklearn/\($0)",
        columns: [
          ("x0", []), ("x1", colours), ("x2", []), ("x3", []), ("x4", []),
          ("x5", ["2", "5", "7", "11"]),
        ], unseen: ["x1": "violet", "x5": 6])
    }
    + ["frame-json", "frame-text"].map {
      Case(
        folder: "lightgbm/\($0)",
        columns: [
          ("age", []), ("höhe", []), ("a_b", []), ("n", []), ("zero", []),
          ("city", (0..<40).map { "\($0)" }), ("colour", ["blue", "green", "red"]),
        ])
    }
    + ["frame-json", "frame-ubj"].map {
      Case(
        folder: "xgboost/\($0)",
        columns: [
          ("level", []), ("a b", []), ("größe", []), ("\"quoted\"\\n", []), ("on", []),
          ("town", towns), ("year", (0..<12).map { "\($0 * 3 - 7)" }),
        ])
    }

  /// Both forms of lines, and a dictionary as an app has it, give the numbers of the library.
  @Test(arguments: cases, [false, true])
  func outputsAreThoseOfTheLibrary(_ test: Case, isWhole: Bool) throws {
    let folder = try #require(
      try TreeFolder.all().first { $0.testDescription == test.folder }, "\(test.folder)")
    let model = try ModelLoader.open(folder.model)
    let rows = folder.rows.map { row in
      row.indices.map { test.value(row[$0], $0, isWhole: isWhole) }
    }
    let texts = rows.joined().filter { if case .text = $0 { true } else { false } }
    #expect(texts.count > 500 && rows.joined().contains(.missing))
    let lines = try InputLines(bytes: Self.jsonLines(test, rows), origin: "rows.jsonl")
    let ours = try ModelRunner(model: model, jobs: 2).outputs(for: lines)
    let byCode = try ModelRunner(model: model, jobs: 2).outputs(
      for: folder.rows.map { Input.values($0) })
    #expect(ours.values == byCode.values || test.unseen.isEmpty == false)
    guard case .features(let schema) = model.architecture.input else {
      Issue.record("\(model.architecture.input)")
      return
    }
    let preparer = FeaturePreparer(schema)
    let graph = try model.graph(batch: 1, length: 1)
    let sum = try #require(graph.nodes.first?.operation as? TreeSum)
    let ensemble = try sum.ensemble(of: model.weights)
    var worst = 0.0
    for (number, row) in rows.enumerated() {
      let own = Dictionary(uniqueKeysWithValues: zip(test.columns.map(\.name), row))
      let prepared = try preparer.doubles(own)
      let outputs = ensemble.outputs(of: prepared)
      #expect(outputs.map { Float($0) } == Array(ours[number]))
      let judged = folder.isOfOutputs ? outputs : ensemble.sums(of: prepared)
      for (value, expected) in zip(judged, folder.expected[number]) {
        worst = max(worst, abs(value - expected) / max(1, abs(expected)))
      }
      let limit = folder.isOfOutputs ? 0.5 : 0
      #expect(
        Self.label(judged, limit) == Self.label(folder.expected[number], limit), "row \(number)")
    }
    #expect(worst <= 1e-6, "\(worst)")
  }

  /// A Core ML model takes the same rows as the trees that it is made of, texts included.
  @Test(arguments: ["sklearn/histograms-categories", "lightgbm/frame-text", "xgboost/frame-json"])
  func coreMLModelsTakeTheSameRows(_ name: String) throws {
    let test = try #require(Self.cases.first { $0.folder == name })
    let folder = try #require(try TreeFolder.all().first { $0.testDescription == name })
    let rows = folder.rows.prefix(100).map { row in
      row.indices.map { test.value(row[$0], $0, isWhole: false) }
    }
    let scratch = try TemporaryFolder()
    let references = try scratch.write(
      "rows.jsonl", String(decoding: Self.jsonLines(test, Array(rows)), as: UTF8.self))
    for suffix in ["mlmodel", "mlpackage"] {
      let path = scratch.path("model.\(suffix)")
      let made = try Program.run(
        [
          "compress", folder.model, "--scheme", "none", "--output", path, "--references",
          references,
        ])
      #expect(made.status == 0, "\(made.errors)")
      let own = try ModelLoader.open(folder.model).architecture.input
      #expect(try ModelLoader.open(path).architecture.input == own)
      let checked = try Program.run(["check", folder.model, path, "--references", references])
      #expect(checked.status == 0, "\(checked.output) \(checked.errors)")
    }
  }

  /// The class of a row: the largest number, and of a single one whether it is above a limit.
  private static func label(_ numbers: [Double], _ limit: Double) -> Int {
    if numbers.count == 1 { return numbers[0] > limit ? 1 : 0 }
    return numbers.indices.max { numbers[$0] < numbers[$1] } ?? 0
  }

  private static func jsonLines(_ test: Case, _ rows: [[FeatureValue]]) throws -> [UInt8] {
    var lines: [UInt8] = []
    for row in rows {
      var object: [String: Any] = [:]
      for (column, value) in zip(test.columns, row) {
        switch value {
        case .number(let number): object[column.name] = number
        case .truth(let truth): object[column.name] = truth
        case .text(let text): object[column.name] = text
        case .missing: object[column.name] = NSNull()
        }
      }
      lines += try JSONSerialization.data(withJSONObject: ["input": object]) + Data("\n".utf8)
    }
    return lines
  }

  /// A category that training did not see is refused where the library refuses it.
  @Test func anUnknownCategoryIsRefused() throws {
    let folder = try #require(
      try TreeFolder.all().first { $0.testDescription == "xgboost/frame-json" })
    let model = try ModelLoader.open(folder.model)
    let row =
      #"{"input": {"level": 1, "a b": null, "größe": 2, "\"quoted\"\\n": 3, "on": true, "#
      + #""town": "Bonn", "year": 2}}"#
    let lines = try InputLines(bytes: Array(row.utf8), origin: "rows.jsonl")
    let error = #expect(throws: EvaluationError.self) {
      _ = try ModelRunner(model: model, jobs: 1).outputs(for: lines)
    }
    #expect(
      error?.description.hasSuffix(
        "the value of 'town' is 'Bonn', which is none of its categories: 'Ulm', 'Züric', '', 'ht', "
          + "'0t' and 7 more") == true, "\(error?.description ?? "")")
  }
}
