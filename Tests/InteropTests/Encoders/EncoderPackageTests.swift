import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression

/// Core ML packages of the small encoders: loaded by coremltools, held against the weights of the
/// library's files, and run in numpy beside the library's vectors.
@Suite(.enabled(if: Oracle.isAvailable, "no oracle environment: run scripts/test"))
struct EncoderPackageTests {
  /// How a package holds its weights.
  enum Form: String, CaseIterable {
    case float32, float16, int8

    var scheme: Scheme? { self == .int8 ? .int8(.perChannel) : nil }
    var floats: FloatType { self == .float32 ? .float32 : .float16 }

    /// Least cosine to the library's vector, in float32 and rounded to float16; weights of float16 move
    /// small convolutional networks most, to 0.998. Nil for such networks with INT8 weights: of random
    /// ones, which amplify what rounding changes, it says nothing. Their constants are judged one by one.
    func cosine(of input: ModelInput) -> Double? {
      switch (self, input) {
      case (.float32, _): 0.9999
      case (.float16, _): 0.995
      case (.int8, .image): nil
      case (.int8, _): 0.9
      }
    }
  }

  /// A package, what `judge_encoders.py` is asked, and how many constants are weights.
  struct Job: Encodable {
    let package: String
    let model: String
    let inputs: String
    let vectors: String
    /// The id behind texts up to the package's length.
    let padding: Int
    let every: Int
    let leastCosine: Double?
    let weightCount: Int
  }

  /// A line of `judge_encoders.py`.
  struct Report: Decodable {
    let faults: [String]
    let equal: Int
    let quantised: Int
    let steps: Double
    let other: [String: String]
    let computed: [String]
    let cosine: [String: Double]
    let nan: Int
    let overflows: [String: Int]
    let largest: Double
  }

  static let tables = [EncoderTableTests.table, ImageEncoderTableTests.table]

  /// The first case of each family in float32, the last in float16.
  @Test func everyFamily() throws {
    let folder = try TemporaryFolder()
    let jobs = try Self.tables.flatMap { table in
      try table.families.flatMap { family in
        let cases = try table.cases(of: family)
        return try write(try #require(cases.first), of: table, .float32, every: 50, in: folder)
          + write(try #require(cases.last), of: table, .float16, every: 50, in: folder)
      }
    }
    try judge(jobs, in: folder)
  }

  @Test(
    .enabled(if: Thoroughness.isExhaustive, "takes minutes: run scripts/test --exhaustive"),
    arguments: Form.allCases)
  func everyCase(_ form: Form) throws {
    let folder = try TemporaryFolder()
    let jobs = try Self.tables.flatMap { table in
      try table.cases.flatMap { try write($0, of: table, form, every: 10, in: folder) }
    }
    try judge(jobs, in: folder)
  }

  /// Writes a package of each encoder of a case.
  private func write(
    _ row: EncoderTable.Case, of table: EncoderTable, _ form: Form, every: Int,
    in folder: TemporaryFolder
  ) throws -> [Job] {
    let place = folder.path("\(row.name) \(form)")
    let source = try table.assemble(row, in: folder, at: "\(row.name) \(form)")
    return try row.encoders.map { encoder in
      let model = try ModelLoader.open(source, encoder: encoder)
      let used = try model.usedWeights()
      let weights = try WeightCompressor.compress(
        weights: used, from: model.weights,
        options: try CompressionOptions(scheme: form.scheme, floats: form.floats), jobs: 1)
      let package = "\(place) \(encoder?.rawValue ?? "").mlpackage"
      try CoreMLPackage(options: CoreMLOptions(floats: form.floats)).writeUnproven(
        weights, of: model, recipe: form.rawValue, to: package)
      let files = try row.files(of: encoder)
      return Job(
        package: package, model: source, inputs: table.shared(files.inputs),
        vectors: table.shared(files.vectors), padding: try TextStatement(of: model)?.paddingID ?? 0,
        every: every, leastCosine: form.cosine(of: model.architecture.input),
        // Python lists constants of one element only where they are quantised.
        weightCount: Set(used.filter { $0.elementCount > 1 }.map(\.name)).count)
    }
  }

  /// Judges all in one process.
  private func judge(_ jobs: [Job], in folder: TemporaryFolder) throws {
    let path = folder.path("jobs.json")
    try JSONEncoder().encode(jobs).write(to: URL(filePath: path))
    let lines = try Oracle.run("judge_encoders.py", [path]).split(separator: "\n")
    try #require(lines.count == jobs.count && !jobs.isEmpty)
    for (job, line) in zip(jobs, lines) {
      expectSame(try JSONDecoder().decode(Report.self, from: Data(line.utf8)), job)
    }
  }

  private func expectSame(_ report: Report, _ job: Job) {
    let name = Comment(rawValue: URL(filePath: job.package).lastPathComponent)
    #expect(report.faults == [] && report.other == [:], name)
    #expect(report.computed.allSatisfy { $0.hasPrefix("numbers") }, name)
    #expect(report.equal + report.quantised >= job.weightCount, name)
    // Half a step, and what float16 rounds of 127 steps, twice: of the scale and of the product.
    #expect(report.steps <= 0.5 + 2 * 127 / 2048, name)
    for rounding in ["fp32", "fp16"] {
      #expect(report.cosine[rounding] ?? 0 >= job.leastCosine ?? -1, "\(job.package): \(rounding)")
    }
    #expect(report.nan == 0 && report.overflows == [:] && report.largest <= 65504, name)
  }
}
