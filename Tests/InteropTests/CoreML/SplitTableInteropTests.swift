import Execution
import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

/// Packages with a table of tokens in two parts, loaded by coremltools and run in numpy, which looks
/// rows up in both parts as the program says.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct SplitTableInteropTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let scheme: SplitScheme
    let lengths: [Int]
    let version: Int
    var testDescription: String { "\(scheme.label), \(lengths)" }
  }

  static let cases: [Case] = [
    Case(
      scheme: SplitScheme(
        rows: 1000, first: .palette(bits: 6, .perTensor), rest: .palette(bits: 4, .perTensor)),
      lengths: [16], version: 7),
    Case(
      scheme: SplitScheme(
        rows: 512, first: .palette(bits: 6, .perGroup(size: 8)),
        rest: .palette(bits: 3, .perGroup(size: 16))), lengths: [16, 32, 64], version: 9),
    Case(
      scheme: SplitScheme(
        rows: 3199, first: .int8(.perChannel),
        rest: .linear(LinearScheme(.int4, granularity: .perBlock(size: 32)))), lengths: [16],
      version: 9),
  ]

  private static let table = "embeddings_word_embeddings_weight"
  private let folder: TemporaryFolder
  private let model: Model

  init() throws {
    folder = try TemporaryFolder()
    model = try ModelLoader.open(
      "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder")
  }

  private func write(
    _ options: CompressionOptions, lengths: [Int], target: DeploymentTarget? = nil, to name: String
  ) throws -> String {
    let path = folder.path(name)
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights, options: options, jobs: 2)
    _ = try CoreMLPackage(options: CoreMLOptions(target: target, sequenceLengths: lengths))
      .writeUnproven(weights, of: model, recipe: options.label, to: path)
    return path
  }

  @Test(arguments: cases) func encoder(_ test: Case) throws {
    let recipe = Recipe(
      rules: [RecipeRule(RecipeRule.Match(roles: [.tokenTable]), .split(test.scheme))],
      keepsOthers: true)
    let split = try write(
      try CompressionOptions(recipe: recipe, floats: .float16), lengths: test.lengths,
      to: "split.mlpackage")
    let whole = try write(
      try CompressionOptions(scheme: nil, floats: .float16), lengths: test.lengths,
      target: test.version == 9 ? .iOS18 : nil, to: "whole.mlpackage")
    let sentences = Array(try InputLines.read(Oracle.fixture("sentences.jsonl")).inputs.prefix(24))
    let packages = try [split, whole].map {
      try RunPackage(
        $0, files: model.files, inputs: sentences, roundings: ["fp32", "fp16"], in: folder)
    }
    let edges = try edgeJob(split, test)
    let reports = try PackageJob.judge(packages.map(\.job) + [edges], in: folder)
    try #require(reports.count == 3)
    expectSound(reports[0], test)
    #expect(added(reports[0], to: reports[1]) == Self.lookup)
    try expectParts(reports[0], packages[0].model, test.scheme)
    let ours = try packages[0].outputs()
    #expect(try packages[0].figures(ours, "fp32").cosine >= 0.99999)
    #expect(try packages[0].figures(ours, "fp16").cosine >= 0.999)
    try expectSame(edges, packages[0].model)
  }

  private func expectSound(_ report: PackageReport, _ test: Case) {
    #expect(report.isValid && report.decompresses && report.decompressError == nil)
    #expect(report.nonFinite == [] && report.disagreements == [] && report.badIdentifiers == [])
    #expect(report.specificationVersion == test.version)
    #expect(report.facts.nan == 0 && report.facts.overflows == [:])
  }

  /// What a lookup in two parts has that one in a whole table has not.
  private static let lookup = [
    "less": 1, "select": 2, "sub": 1, "maximum": 1, "gather": 1, "expand_dims": 1,
  ]

  /// Operations that a program has more often than another, constants left out.
  private func added(_ report: PackageReport, to other: PackageReport) -> [String: Int] {
    let names = Set(report.operations.keys).union(other.operations.keys)
    let differences = names.filter { !$0.hasPrefix("const") }.map {
      ($0, report.operations[$0, default: 0] - other.operations[$0, default: 0])
    }
    return Dictionary(differences.filter { $0.1 != 0 }) { first, _ in first }
  }

  /// Both parts as coremltools makes floats of them are the table that Ingot runs, bit for bit, and so
  /// are all other constants.
  private func expectParts(
    _ report: PackageReport, _ read: Model, _ scheme: SplitScheme
  ) throws {
    let values = try read.weights.floats(of: TensorName(Self.table))
    let place = scheme.rows * 128
    #expect(read.weights.shape(of: TensorName(Self.table)) == [3200, 128])
    let parts = [
      Self.table + "_first": (Array(values[..<place]), [scheme.rows, 128]),
      Self.table + "_rest": (Array(values[place...]), [3200 - scheme.rows, 128]),
    ]
    #expect(Set(parts.keys).isSubset(of: report.weights.map(\.name)))
    for weight in report.weights {
      let name = TensorName(weight.name)
      let (floats, shape) =
        try parts[weight.name]
        ?? (read.weights.floats(of: name), read.weights.shape(of: name) ?? [])
      #expect(weight.shape == shape, "\(weight.name)")
      let digest = ContentDigest(of: floats.withUnsafeBytes { Array($0) })
      #expect(digest.hex == weight.sha256, "\(weight.name)")
    }
  }

  /// Ids on both sides of the place where the parts meet, the first and the last.
  private func edgeJob(_ path: String, _ test: Case) throws -> PackageJob {
    let rows = Float(test.scheme.rows)
    let samples = [
      [rows - 1, rows], [rows, rows - 1], [0, 3199], [3199, 0, rows, rows - 1],
      [rows - 2, min(rows + 1, 3199)],
    ].map { ids in
      [
        "input_ids": ids + Array(repeating: 0, count: 16 - ids.count),
        "attention_mask": ids.map { _ in 1 } + Array(repeating: 0, count: 16 - ids.count),
      ]
    }
    return PackageJob(
      package: path, samples: samples, roundings: ["fp32"], outputs: folder.path("edges.npz"))
  }

  private func expectSame(_ job: PackageJob, _ read: Model) throws {
    let graph = try read.architecture.graph(batch: 1, length: 16)
    let theirs = try #require(try WeightCollection.open(job.outputs)["fp32"]).floats()
    for (row, sample) in job.samples.enumerated() {
      let ours = try Executor(weights: read.weights, jobs: 2).run(
        graph, inputs: sample.mapValues { .integers($0.map { Int32($0) }) })
      #expect(theirs.count == job.samples.count * ours.count)
      let other = theirs[row * ours.count..<(row + 1) * ours.count]
      let differences = zip(ours, other).map { ($0 - $1).magnitude }
      #expect(differences.allSatisfy { $0 <= 1e-5 }, "sample \(row): \(differences.max() ?? 0)")
    }
  }
}
