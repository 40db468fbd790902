import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Trees
import WeightCompression
import Weights

/// Models of trees as libraries write them, opened and run as everything else is.
@Suite(.enabled(if: TreeFolder.root != nil, "no models of tables: run scripts/test"))
struct TreeModelInteropTests {
  @Test func thereAreFortyEstimators() throws { #expect(try TreeFolder.all().count >= 40) }

  /// The kernel gives what the plain evaluator does, and that what the library does.
  @Test(arguments: try TreeFolder.all())
  func outputsAreThoseOfTheLibrary(_ folder: TreeFolder) throws {
    try Self.judge(folder)
  }

  /// Categories are among the features of each library's.
  @Test(arguments: ["catboost", "lightgbm", "sklearn", "xgboost"])
  func someHaveCategories(_ library: String) throws {
    let folders = try TreeFolder.all().filter { folder in
      folder.testDescription.hasPrefix("\(library)/")
        && folder.testDescription.contains("categor")
    }
    let models = try folders.map { try ModelLoader.open($0.model) }
    #expect(
      models.contains { model in
        let features = (model.architecture as? ForestModel)?.description.features ?? []
        return features.contains { if case .category(_) = $0.kind { true } else { false } }
      })
  }

  /// Labels are those that the library's own numbers decide, but where two of these are as good as equal.
  @Test func labelsAreThoseOfTheLibrarys() throws {
    var judged: [String: Int] = [:]
    for folder in try TreeFolder.all() where folder.isOfOutputs {
      let model = try ModelLoader.open(folder.model)
      guard case .classes(let labels, let width, let scale) = model.architecture.output,
        width == folder.expected.first?.count
      else { continue }
      let ours = try ModelRunner(model: model, jobs: 2).outputs(
        for: folder.rows.map { Input.values($0) })
      let limit = scale == .probabilities ? 0.5 : 0
      var ties = 0
      for (number, expected) in folder.expected.enumerated() {
        let order = expected.sorted(by: >)
        let margin = order.count == 1 ? abs(order[0] - limit) : order[0] - order[1]
        guard margin > 1e-6 else {
          ties += 1
          continue
        }
        let found = Self.decision(ours[number].map(Double.init), limit)
        #expect(found < labels.count)
        try #require(
          found == Self.decision(expected, limit), "\(folder.testDescription): row \(number)")
      }
      // Trees that never split say the same of every row.
      #expect(ties < folder.rows.count / 2, "\(folder.testDescription): \(ties) ties")
      judged[String(folder.testDescription.prefix { $0 != "/" }), default: 0] += 1
    }
    for library in ["catboost", "lightgbm", "sklearn", "xgboost"] {
      #expect(judged[library, default: 0] >= 3, "\(judged)")
    }
  }

  private static func decision(_ outputs: [Double], _ limit: Double) -> Int {
    if outputs.count == 1 { return outputs[0] > limit ? 1 : 0 }
    return outputs.indices.max { (outputs[$0], $1) < (outputs[$1], $0) } ?? 0
  }

  static func judge(_ folder: TreeFolder) throws {
    let model = try ModelLoader.open(folder.model)
    let ours = try ModelRunner(model: model, jobs: 2).outputs(
      for: folder.rows.map { Input.values($0) })
    let graph = try model.graph(batch: 1, length: 1)
    let sum = try #require(graph.nodes.first?.operation as? TreeSum)
    let ensemble = try sum.ensemble(of: model.weights)
    #expect(folder.rows.count > 500)
    for (number, row) in folder.rows.enumerated() {
      let plain = ensemble.outputs(of: row)
      #expect(Array(ours[number]) == plain.map { Float($0) }, "row \(number)")
      guard folder.isOfOutputs else { continue }
      for (value, expected) in zip(plain, folder.expected[number]) {
        let limit = 1e-6 * max(abs(value), abs(expected))
        #expect(abs(value - expected) <= limit, "row \(number): \(value), not \(expected)")
      }
    }
  }
}

extension TreeModelInteropTests {
  /// What is written gives every row the very sums that the compressed trees have, though equal nodes are one
  /// and places are packed; and of every row as it was, where nothing is compressed. Twice with the same bytes.
  @Test(
    arguments: try TreeFolder.all(),
    [nil, .int8(.perChannel), .palette(bits: 4, .perTensor), .narrow(.float16)] as [Scheme?])
  func whatIsWrittenDecidesTheSame(_ folder: TreeFolder, _ scheme: Scheme?) throws {
    let scratch = try TemporaryFolder()
    let model = try ModelLoader.open(folder.model)
    let forest = try #require(model.architecture as? ForestModel)
    let largest = try Self.ensemble(of: model).leaves.map(abs).max() ?? 0
    if scheme == .narrow(.float16), largest > 65504 {
      let error = #expect(throws: (any Error).self) {
        try WeightCompressor.compress(
          weights: try model.usedWeights(), from: model.weights,
          options: try CompressionOptions(scheme: scheme), jobs: 1)
      }
      #expect(error.map { "\($0)" }?.contains("do not fit float16") == true)
      return
    }
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme), jobs: 1)
    var digests: Set<ContentDigest> = []
    for name in ["one", "two"] {
      digests.insert(
        try CompressedSafetensors().writeUnproven(
          weights, of: model, recipe: "none", to: scratch.path("\(name).safetensors")
        ).digest)
    }
    #expect(digests.count == 1)
    let opened = try ModelLoader.open(scratch.path("one.safetensors"))
    let written = try Self.ensemble(of: opened)
    // The compressed weights as they are, in the shapes of the library's trees.
    let own = try forest.ensemble(of: weights)
    #expect(written.branchCount <= own.branchCount && written.leafCount <= own.leafCount)
    let moved = folder.rows.filter { row in
      own.undividedSums(of: row).map(\.bitPattern)
        != written.undividedSums(of: row).map(\.bitPattern)
    }
    #expect(moved.isEmpty, "\(moved.count) rows, \(moved.first ?? [])")
    let outputs = try ModelRunner(model: opened, jobs: 1).outputs(
      for: folder.rows.map { Input.values($0) })
    for (number, row) in folder.rows.enumerated() {
      #expect(Array(outputs[number]) == own.outputs(of: row).map { Float($0) }, "row \(number)")
    }
    let stored = try #require(ModelFormat.storage(ofOpened: opened))
    for reference in try opened.usedWeights() where reference.name != "trees.thresholds" {
      #expect(try stored.stored(reference)?.scheme != nil || reference.name == "trees.leaves")
    }
  }

  /// With references, thresholds of 64 bits are written in 32, and every reference goes where it went.
  @Test(arguments: ["lightgbm/deep-text", "lightgbm/binary-json", "sklearn/histograms-regressor"])
  func thresholdsAreRoundedOnReferences(_ name: String) throws {
    let folder = try #require(try TreeFolder.all().first { $0.testDescription == name })
    let scratch = try TemporaryFolder()
    // Between numbers of 64 bits that are nearer than those of 32 no threshold of 32 is.
    let rows = folder.rows.map { row in row.map { Double(Float($0)) } }
    let lines = rows.map { row in
      let values = row.map { $0.isNaN ? "null" : "\($0)" }.joined(separator: ",")
      return #"{"input":{"values":[\#(values)]}}"#
    }
    try lines.joined(separator: "\n").write(
      toFile: scratch.path("references.jsonl"), atomically: true, encoding: .utf8)
    for references in [[], ["--references", "references.jsonl"]] {
      let name = "\(references.count).safetensors"
      let made = try Program.run(
        ["compress", folder.model, "--scheme", "none", "--output", name]
          + references, in: scratch.path)
      try #require(made.status == 0, "\(made.errors)")
      let model = try ModelLoader.open(scratch.path(name))
      let (own, written) = (
        try Self.ensemble(of: try ModelLoader.open(folder.model)), try Self.ensemble(of: model)
      )
      let isRounded = written.thresholds.allSatisfy { Double(Float($0)) == $0 }
      #expect(isRounded == !references.isEmpty)
      #expect(model.weights.shape(of: "trees.thresholds")?[0] == (isRounded ? 1 : 3))
      for row in rows {
        // As 32 bits keep leaves.
        let leaves = (0..<own.treeCount).map { own.leaf(of: row, $0) * own.leafWidth }
        let found = (0..<own.treeCount).map { written.leaf(of: row, $0) * own.leafWidth }
        try #require(
          zip(leaves, found).allSatisfy { Float(own.leaves[$0]) == Float(written.leaves[$1]) })
      }
    }
  }

  private static func ensemble(of model: Model) throws -> TreeEnsemble {
    let graph = try model.graph(batch: 1, length: 1)
    return try #require(graph.nodes.first?.operation as? TreeSum).ensemble(of: model.weights)
  }
}

/// A model that a library wrote, and its own numbers for rows.
struct TreeFolder: CustomTestStringConvertible {
  private struct About: Decodable {
    let file: String
    let rows: Int
    let features: Int
    let outputs: Int
    let of: String
  }

  static let root = ProcessInfo.processInfo.environment["INGOT_TREES"]

  let model: String
  let rows: [[Double]]
  let expected: [[Double]]
  let isOfOutputs: Bool
  let testDescription: String

  /// Those of all libraries.
  static func all() throws -> [TreeFolder] {
    guard let root else { return [] }
    return try ["catboost", "lightgbm", "sklearn", "xgboost"].flatMap {
      try all(in: "\(root)/\($0)", $0)
    }
  }

  /// Those of a folder, whose names begin with a library's.
  static func all(in path: String, _ library: String) throws -> [TreeFolder] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted().map {
      try TreeFolder("\(path)/\($0)", "\(library)/\($0)")
    }
  }

  private init(_ folder: String, _ name: String) throws {
    let about = try JSONDecoder().decode(
      About.self, from: Data(contentsOf: URL(filePath: "\(folder)/about.json")))
    let isArrays = FileManager.default.fileExists(atPath: "\(folder)/starts.npy")
    model = isArrays ? folder : "\(folder)/\(about.file)"
    let all = try Self.matrix("\(folder)/rows.f64", about.features)
    let numbers = try Self.matrix("\(folder)/expected.f64", about.outputs)
    try #require(all.count == about.rows && numbers.count == about.rows)
    // What 32 bits cannot hold is refused.
    let kept = all.indices.filter { all[$0].allSatisfy { $0.isNaN || Float($0).isFinite } }
    rows = kept.map { all[$0] }
    expected = kept.map { numbers[$0] }
    isOfOutputs = about.of == "outputs"
    testDescription = name
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
