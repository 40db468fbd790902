import Formats
import Foundation
import Graph
import Inputs
import Files
import TestSupport
import Testing
import WeightCompression

/// Packages that Ingot writes, judged by Apple's loader and run in numpy.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct CoreMLWriterInteropTests {
  /// A request, and the result that is expected.
  struct Case: Sendable {
    let scheme: Scheme?
    var target: DeploymentTarget?
    var lengths: [Int] = []
    var outputType = CoreMLOptions.OutputType.float32
    let expected: DeploymentTarget

    var name: String {
      let target = target.map(\.rawValue) ?? "lowest"
      let lengths = lengths.map(String.init).joined(separator: "-")
      return [scheme.label, target, lengths, outputType.rawValue].joined(separator: " ")
        .replacing(" ", with: "-")
    }
  }

  private static let palettes = PaletteScheme.knownBits.map { Scheme.palette(bits: $0, .perTensor) }

  /// No compression, integers and every width of palettes, on the oldest system that fits.
  private static func lowest(_ lengths: [Int]) -> [Case] {
    ([nil, .int8(.perChannel), .int8(.perTensor)] + palettes).map { scheme in
      Case(
        scheme: scheme, lengths: lengths,
        expected: scheme == .palette(bits: 3, .perTensor) ? .iOS18 : .iOS16)
    }
  }

  /// The same on the newest system, integers between, and the other type of an output.
  private static func others(_ lengths: [Int]) -> [Case] {
    let newest = lowest(lengths).filter { $0.expected == .iOS16 }.map {
      Case(scheme: $0.scheme, target: .iOS18, lengths: lengths, expected: .iOS18)
    }
    return newest + [
      Case(scheme: .int8(.perChannel), target: .iOS17, lengths: lengths, expected: .iOS17),
      Case(scheme: nil, lengths: lengths, outputType: .float16, expected: .iOS16),
    ]
  }

  /// Palettes of groups, and several lengths: an input takes the least that fits.
  private static func newest(_ lengths: [Int], groups size: Int) -> [Case] {
    let grouped = Scheme.palette(bits: 4, .perGroup(size: size))
    return [
      Case(scheme: grouped, lengths: lengths, expected: .iOS18),
      Case(scheme: grouped, lengths: [16, 64, 32], expected: .iOS18),
      Case(scheme: .int8(.perChannel), lengths: [16, 64, 32], expected: .iOS18),
    ]
  }

  /// Every kind of integer, and what palettes can have beside bits and groups.
  private static func deep(_ lengths: [Int]) -> [Case] {
    CompressedSafetensorsInteropTests.deep.map { scheme in
      Case(
        scheme: scheme, lengths: lengths, expected: DeploymentTarget.lowest(for: scheme))
    }
  }

  /// Cases of the real encoder, in groups that one process judges; a small one has all of them.
  struct Group: Sendable, CustomTestStringConvertible {
    let name: String
    let cases: [Case]
    var testDescription: String { name }
  }

  static let groups = [
    Group(name: "every scheme", cases: lowest([64])),
    Group(
      name: "the newest system",
      cases: newest([64], groups: 6)
        + [nil, .int8(.perChannel), .palette(bits: 4, .perTensor)].map {
          Case(scheme: $0, target: .iOS18, lengths: [64], expected: .iOS18)
        }),
  ]

  @Test(.enabled(if: Oracle.hasMiniLM, "no real model: run scripts/test"), arguments: groups)
  func miniLM(_ group: Group) throws {
    let path = try #require(Oracle.miniLM)
    try judge(path, group.cases, try sentences(24, long: 4), bounds: .embedding)
  }

  /// The model's own length, and what Ingot promises of the sizes on disk.
  @Test(.enabled(if: Oracle.hasMiniLM, "no real model: run scripts/test"))
  func miniLMAtItsOwnLength() throws {
    let cases = [Scheme.int8(.perChannel), .palette(bits: 4, .perTensor)].map {
      Case(scheme: $0, expected: .iOS16)
    }
    let reports = try judge(
      try #require(Oracle.miniLM), cases, try sentences(4, long: 4), bounds: .embedding)
    #expect(
      reports.map { $0.inputs.map(\.words) }
        == [[String]](
          repeating: ["INT32 [1, 256]", "INT32 [1, 256]"], count: 2))
    #expect(reports[0].bytes <= 23_000_000)
    #expect(reports[1].bytes <= 11_700_000)
  }

  @Test func sentenceEncoder() throws {
    let path = "\(Oracle.repository)/specs/examples/quickstart/models/sentence-encoder"
    let cases =
      Self.lowest([]) + Self.others([16]) + Self.newest([32], groups: 4) + Self.deep([16])
    try judge(path, cases, try sentences(24, long: 4), bounds: .embedding)
  }

  @Test(arguments: DenseInteropTests.flows)
  func flow(_ flow: String) throws {
    let folder = "\(Oracle.repository)/specs/examples/quickstart/flows"
    let name = flow.split(separator: "/")[0]
    let references = try ReferenceSet(path: "\(folder)/\(name)/references.jsonl")
    // Of one output there is one group, which the older system knows.
    let isSingle = !["habit_suggestion", "notification_timing"].contains(name)
    let grouped = Case(
      scheme: .palette(bits: 4, .perGroup(size: 1)), expected: isSingle ? .iOS16 : .iOS18)
    try judge(
      "\(folder)/\(flow)", Self.lowest([]) + Self.others([]) + [grouped],
      Array(references.inputs.prefix(32)),
      bounds: .scores)
  }

  /// Models by scikit-learn: integer labels, raw scores, two columns, one against the rest.
  @Test(arguments: ScikitLearnInteropTests.names)
  func scikitLearn(_ name: String) throws {
    let folder = try TemporaryFolder()
    _ = try Oracle.run("make_sklearn.py", [folder.path("models")])
    let path = folder.path("models/\(name)")
    let references = try ReferenceSet(path: "\(path)/references.jsonl")
    let cases = [nil, .int8(.perChannel)].map { Case(scheme: $0, expected: .iOS16) }
    try judge(path, cases, Array(references.inputs.prefix(16)), bounds: .scores)
  }

  /// Sentences of the quickstart's reference set, and the longest ones of the fixtures.
  private func sentences(_ count: Int, long: Int) throws -> [Input] {
    let pairs = "\(Oracle.repository)/specs/examples/quickstart/references/pairs.jsonl"
    let all = try InputLines.read(Oracle.fixture("sentences.jsonl")).inputs
    let longest = all.sorted { $0.label.utf8.count > $1.label.utf8.count }
    return Array(try ReferenceSet(path: pairs).inputs.prefix(count)) + longest.prefix(long)
  }
}

/// Compressed weights by model and scheme: several packages are made of the same.
enum CompressedOnce {
  private static let known = Mutex<[String: CompressedWeights]>([:])

  static func weights(of model: Model, _ scheme: Scheme?) throws -> CompressedWeights {
    try known.withLock { known in
      let key = "\(model.origin) \(model.architecture.encoder?.rawValue ?? "") \(scheme.label)"
      if let weights = known[key] { return weights }
      let weights = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: try CompressionOptions(scheme: scheme, floats: .float16), jobs: 2)
      known[key] = weights
      return weights
    }
  }
}
