import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing

/// Pipelines whose corners are easily got wrong: rows that 32 bits hardly hold, halves of votes, labels of two classes.
/// ONNX Runtime gives the numbers and the labels, and numpy computes what is in Core ML's files.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct PipelineCornerTests {
  private let folder: TemporaryFolder
  private let names: [String]

  init() throws {
    folder = try TemporaryFolder()
    let text = try Oracle.run("make_pipeline_corners.py", [folder.path("made")])
    names = try JSONDecoder().decode([String].self, from: Data(text.utf8))
    try #require(names.count == 29)
  }

  private func read<Value: Decodable>(_ name: String, _ file: String) throws -> Value {
    try JSONDecoder().decode(
      Value.self,
      from: Data(contentsOf: URL(filePath: folder.path("made/\(name)/\(file).json"))))
  }

  private func names(_ start: String) throws -> [String] {
    let found = names.filter { $0.hasPrefix(start) }
    try #require(!found.isEmpty)
    return found
  }

  /// What Ingot gives for the rows, and what ONNX Runtime gave.
  private func numbers(
    _ name: String
  ) throws -> (model: Model, found: [[Float]], expected: [[Double]]) {
    let model = try ModelLoader.open(folder.path("made/\(name)/model.onnx"))
    let rows: [[Double?]] = try read(name, "inputs")
    let expected: [[String]] = try read(name, "expected")
    let ours = try ModelRunner(model: model, jobs: 1).outputs(
      for: rows.map { Input.values($0.map { $0 ?? .nan }) })
    return (
      model, rows.indices.map { Array(ours[$0]) }, expected.map { $0.map { Double($0) ?? .nan } }
    )
  }

  private func label(_ numbers: [Float], _ output: ModelOutput) -> String? {
    guard case .classes(let labels, _, let scale) = output else { return nil }
    if numbers.count == 1 {
      return labels.plain[numbers[0] > (scale == .probabilities ? 0.5 : 0) ? 1 : 0]
    }
    return labels.plain[numbers.indices.max { numbers[$0] < numbers[$1] } ?? 0]
  }

  /// One-vs-rest of two and of three classes, and the scores of a ridge of two, are layers or trees.
  @Test(arguments: ["rest-two", "rest-three", "ridge-two", "rest-forest"])
  func labelsOfTwoClassesAreThoseOfTheRuntime(_ name: String) throws {
    let (model, found, expected) = try numbers(name)
    let labels: [String] = try read(name, "labels")
    #expect(name == "rest-forest" ? model.architecture is ForestModel : model.architecture is Dense)
    for (row, (numbers, wanted)) in zip(found, expected).enumerated() {
      let wanted = wanted.suffix(numbers.count)
      for (one, other) in zip(numbers, wanted) {
        #expect(abs(Double(one) - other) <= 2e-6 * max(1, abs(other)), "\(name), row \(row)")
      }
      #expect(label(numbers, model.architecture.output) == labels[row], "\(name), row \(row)")
    }
  }

  /// ONNX Runtime does nothing with the number of a regression of one, whatever the file asks for.
  @Test func oneNumberIsLeftAsItIs() throws {
    for name in try names("one-") + names("several-") {
      let (_, found, expected) = try numbers(name)
      for (numbers, wanted) in zip(found, expected) {
        for (one, other) in zip(numbers, wanted) { #expect(abs(Double(one) - other) <= 2e-6) }
      }
      #expect(name != "several-LOGISTIC" || found.joined().allSatisfy { $0 > 0 && $0 < 1 })
    }
  }

  /// Rows that have no number; all others must have those of the runtime.
  private func refusedRows(
    _ found: [[Float]], beside expected: [[Double]], _ name: String
  ) -> [Int] {
    var refused: [Int] = []
    for (row, (numbers, wanted)) in zip(found, expected).enumerated() {
      if numbers.contains(where: { !$0.isFinite }) {
        refused.append(row)
        continue
      }
      for (one, other) in zip(numbers, wanted) {
        #expect(abs(Double(one) - other) <= 1e-6 * max(1, abs(other)), "\(name), row \(row)")
      }
    }
    return refused
  }

  /// A row that 32 bits hold has the numbers of the runtime; any other none at all.
  @Test(arguments: ["layers-L1", "steps-L1", "layers-L2", "steps-L2"])
  func sizesOfRowsAreThoseOfTheRuntime(_ name: String) throws {
    let (model, found, expected) = try numbers(name)
    #expect((model.architecture is Dense) == name.hasPrefix("layers"))
    let refused = refusedRows(found, beside: expected, name)
    #expect(refused == (name.hasSuffix("L1") ? [6] : [3, 4, 5, 6, 9, 10, 11, 12]), "\(name)")
  }

  /// Trees would take a row without a size for one without values: it has no number either. A missing value, and a size
  /// that 32 bits hold, go where the runtime sends them.
  @Test(arguments: ["trees-L1", "trees-L2", "trees-MAX"])
  func treesHaveNoNumberOfARowWithoutASize(_ name: String) throws {
    let (model, found, expected) = try numbers(name)
    #expect(model.architecture is TableModel)
    #expect(Set(expected.joined()).count > 8, "the rows go the same way: \(expected)")
    var refused: [Int] = []
    for (row, (numbers, wanted)) in zip(found, expected).enumerated() {
      if numbers.contains(where: \.isNaN) {
        refused.append(row)
      } else {
        #expect(numbers.map(Double.init) == wanted, "\(name), row \(row)")
      }
    }
    let unmeasured = ["trees-L1": [6], "trees-L2": [3, 4, 5, 6, 9, 10, 11, 12], "trees-MAX": []]
    #expect(refused == unmeasured[name])
  }

  /// What a norm leaves missing is filled as the runtime fills it.
  @Test(arguments: ["imputer-L1", "imputer-L2", "imputer-MAX"])
  func missingValuesBehindANormAreFilled(_ name: String) throws {
    let (_, found, expected) = try numbers(name)
    #expect(Set(expected.joined()).count > 8, "the rows are alike: \(expected)")
    let refused = refusedRows(found, beside: expected, name)
    let unmeasured = [
      "imputer-L1": [6], "imputer-L2": [3, 4, 5, 6, 9, 10, 11, 12], "imputer-MAX": [],
    ]
    #expect(refused == unmeasured[name])
  }

  /// Numbers of a file for the rows, as numpy computes them: of a classifier the place of the label first.
  private func computed(_ name: String, _ path: String) throws -> [[Double]] {
    let rows: [[Double]] = try read(name, "inputs")
    let out = path + ".f64"
    _ = try Oracle.run("run_tabular_coreml.py", [path, folder.path("made/\(name)/rows.json"), out])
    let data = try Data(contentsOf: URL(filePath: out))
    let all = data.withUnsafeBytes { raw in
      (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
    }
    let width = all.count / rows.count
    return rows.indices.map { Array(all[$0 * width..<($0 + 1) * width]) }
  }

  /// Who wins with half of the votes is what the sum of the file's 32 bits says, in doubles too.
  @Test func halvesOfVotesGoWhereTheyWent() throws {
    var winners: Set<String> = []
    for name in try names("votes-") {
      let path = folder.path("\(name).mlmodel")
      let made = try Program.run([
        "compress", folder.path("made/\(name)/model.onnx"), "--output", path, "--scheme", "none",
      ])
      try #require(made.status == 0, "\(name): \(made.errors)")
      let labels: [String] = try read(name, "labels")
      let (model, found, expected) = try numbers(name)
      for (row, numbers) in try computed(name, path).enumerated() {
        #expect(["no", "yes"][Int(numbers[0])] == labels[row], "\(name), row \(row)")
        #expect(abs(numbers[2] - expected[row][1]) <= 1e-6)
        #expect(label(found[row], model.architecture.output) == labels[row], "\(name), row \(row)")
      }
      if labels.count % 2 == 1 { winners.insert(labels[labels.count / 2]) }
      // What was read again decides the same.
      let again = try ModelLoader.open(path)
      let rows: [[Double]] = try read(name, "inputs")
      let ours = try ModelRunner(model: again, jobs: 1).outputs(for: rows.map { Input.values($0) })
      for row in rows.indices {
        let found = label(Array(ours[row]), again.architecture.output)
        #expect(found == labels[row], "\(name), row \(row)")
      }
    }
    #expect(winners == ["no", "yes"])
  }
}
