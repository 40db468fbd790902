import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import Trees
import WeightCompression
import Weights

/// Trees among the steps of a pipeline, written as a lone ensemble is: equal nodes are one, numbers are packed.
@Suite(.enabled(if: PipelineFolder.root != nil, "no models of tables: run scripts/test"))
struct PackedPipelineTests {
  /// Pipelines with trees among other steps.
  static func names() throws -> [String] {
    try PipelineFolder.names().filter { name in
      guard TableModelInteropTests.refused[name] == nil else { return false }
      let model = try ModelLoader.open(PipelineFolder(name).model)
      return try model.architecture is TableModel
        && !PlacedTrees.all(of: model.architecture).isEmpty
    }
  }

  /// Thresholds in tables name the features of their own step.
  @Test(arguments: ["none", "int8"])
  func thresholdsInTablesAreOfTheirStep(_ scheme: String) throws {
    let scratch = try TemporaryFolder()
    let model = Oracle.fixture("pipelines/clip-boosting.onnx")
    let references = Oracle.fixture("pipelines/clip-boosting.jsonl")
    let made = try Program.run(
      [
        "compress", model, "--output", "small.safetensors", "--scheme", scheme, "--references",
        references, "--limits", "lenient",
      ], in: scratch.path)
    #expect(made.status == 0, "\(made.errors)")
    let small = try ModelLoader.open(scratch.path("small.safetensors"))
    let reference = try #require(
      try small.usedWeights().first { $0.name.text.hasSuffix(".thresholds") })
    #expect(reference.name.text.hasPrefix("trees_"))
    #expect(
      try ModelFormat.storage(ofOpened: small)?.stored(reference)?.scheme?.label
        .hasPrefix("tables of") == true)
  }

  @Test func thereArePipelinesWithTrees() throws { #expect(try Self.names().count >= 5) }

  @Test(
    arguments: try names(), [nil, .int8(.perChannel), .palette(bits: 4, .perTensor)] as [Scheme?])
  func whatIsWrittenDecidesTheSame(_ name: String, _ scheme: Scheme?) throws {
    let scratch = try TemporaryFolder()
    let folder = try PipelineFolder(name)
    let model = try ModelLoader.open(folder.model)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: scheme), jobs: 1)
    var digests: Set<ContentDigest> = []
    for file in ["one", "two"] {
      digests.insert(
        try CompressedSafetensors().writeUnproven(
          weights, of: model, recipe: "none", to: scratch.path("\(file).safetensors")
        ).digest)
    }
    #expect(digests.count == 1)
    let written = try ModelLoader.open(scratch.path("one.safetensors"))
    let rows = try folder.rows(of: model).map { Input.values($0) }
    let own = try ModelRunner(model: model, weights: weights, jobs: 2).outputs(for: rows)
    let found = try ModelRunner(model: written, jobs: 2).outputs(for: rows)
    #expect(own.values.map(\.bitPattern) == found.values.map(\.bitPattern))
    let stored = try #require(ModelFormat.storage(ofOpened: written))
    let (before, after) = (
      try PlacedTrees.all(of: model.architecture), try PlacedTrees.all(of: written.architecture)
    )
    try #require(before.map(\.name) == after.map(\.name) && !before.isEmpty)
    for (trees, merged) in zip(before, after) {
      #expect(merged.header.leafCount <= trees.header.leafCount)
      #expect(merged.header.branchCount <= trees.header.branchCount)
      for array in TreeArrays.allCases where array != .thresholds && array != .leaves {
        let reference = TreeSum.reference(array, merged.header, of: merged.name)
        #expect(try stored.stored(reference)?.scheme != nil, "\(array.rawValue)")
      }
    }
  }

  /// At eight bits a forest has far fewer different leaves than leaves.
  @Test func equalLeavesAreOne() throws {
    let scratch = try TemporaryFolder()
    let folder = try PipelineFolder("bagging")
    let made = try Program.run(
      ["compress", folder.model, "--scheme", "int8", "--output", "small.safetensors"],
      in: scratch.path)
    try #require(made.status == 0, "\(made.errors)")
    func leaves(_ path: String) throws -> Int {
      let trees = try PlacedTrees.all(of: try ModelLoader.open(path).architecture)
      return trees.reduce(0) { $0 + $1.header.leafCount }
    }
    #expect(
      try 2 * leaves(scratch.path("small.safetensors")) < leaves(folder.model))
  }

  /// The gate holds each threshold to the one in its place: another one is seen, whatever references show.
  @Test func anotherThresholdIsSeen() throws {
    let scratch = try TemporaryFolder()
    let folder = try PipelineFolder("bagging")
    let model = try ModelLoader.open(folder.model)
    let rows = try folder.rows(of: model).prefix(100).map { row in
      let values = row.map { $0.isNaN ? "null" : "\($0)" }.joined(separator: ", ")
      return "{\"input\": {\"values\": [\(values)]}}"
    }
    try scratch.write("references.jsonl", rows.joined(separator: "\n"))
    let references = ["--references", "references.jsonl", "--limits", "lenient"]
    let made = try Program.run(
      ["compress", folder.model, "--scheme", "int8", "--output", "small.safetensors"] + references,
      in: scratch.path)
    try #require(made.status == 0, "\(made.errors)")
    let same = try Program.run(
      ["check", folder.model, "small.safetensors"] + references, in: scratch.path)
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    // The first threshold, whose sign is in the file once for each place that has it.
    let trees = try #require(try PlacedTrees.all(of: model.architecture).first)
    let threshold = try #require(
      try model.weights.floats(of: trees.tensorName(.thresholds)).first { abs($0) > 0.01 })
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.model)))
    let pattern = withUnsafeBytes(of: threshold.bitPattern.littleEndian) { Array($0) }
    let place = try #require(
      bytes.indices.dropLast(4).first { Array(bytes[$0..<$0 + 4]) == pattern })
    bytes[place + 3] ^= 0x80
    try Data(bytes).write(to: URL(filePath: scratch.path("other.onnx")))
    let other = try Program.run(
      ["check", "other.onnx", "small.safetensors"] + references, in: scratch.path)
    #expect(other.status == 3, "\(other.output)\(other.errors)")
    #expect(
      (other.output + other.errors).contains(trees.tensorName(.thresholds).text),
      "\(other.output)\(other.errors)")
  }
}
