import Files
import Formats
import Gate
import Graph
import Inputs
import Proving
import TestSupport
import Testing
import WeightCompression
import Weights

/// Plan, compress, stage, judge, commit: what has its name at which moment.
struct ProverTests {
  private let folder: TemporaryFolder
  private let model: Model
  private let references: ReferenceSet

  init() throws {
    folder = try TemporaryFolder()
    let description = """
      {"architecture": "dense", "inputs": [{"name": "a"}, {"name": "b"}],
       "layers": [{"weight": "w.npy", "activation": "sigmoid"}],
       "output": {"name": "score", "kind": "classifier", "labels": ["no", "yes"]}}
      """
    try folder.write("model/model.json", description)
    var npy = try AtomicFile(path: folder.path("model/w.npy"))
    try NpyWriter.write([0.25, 0.75], rows: 1, columns: 2, to: &npy)
    try npy.commit()
    model = try ModelLoader.open(folder.path("model"))
    let lines = (0..<12).map { #"{"input": {"values": [\#($0), \#(12 - 2 * $0)]}}"# + "\n" }
    references = try ReferenceSet(path: try folder.write("references.jsonl", lines.joined()))
    try Folder.create(folder.path("out"))
  }

  private static let formats = ModelFormat.allCases.filter { !$0.type.holdsTablesAlone }

  private var names: [String] { get throws { try Folder.names(in: folder.path("out")) } }

  private func part(
    _ format: ModelFormat, _ scheme: Scheme = .int8(.perTensor),
    in storage: StagedFile.Storage = .disk
  ) throws -> Prover.Part {
    let value = format.with(FormatChoices())
    return Prover.Part(
      model, options: try CompressionOptions(scheme: scheme, floats: value.floats),
      calibration: nil, as: value, at: ModelPlace(folder.path("out/small.\(format)"), in: storage))
  }

  private func gate() throws -> Gate {
    Gate(on: references, try Limits(profile: .lenient), threshold: nil, jobs: 1)
  }

  @Test(arguments: formats) func whatPassesGetsItsName(_ format: ModelFormat) throws {
    let gate = try gate()
    var seen: [String] = []
    let outcome = try Prover(jobs: 1).run([try part(format)], against: [model], by: gate) {
      seen = try names
      return try $1()
    }
    guard case .proven(let emitted, let verdict) = outcome else {
      Issue.record("the gate refused")
      return
    }
    // While it was judged there was a hidden name only.
    #expect(seen.count == 1)
    #expect(seen.allSatisfy { $0.hasPrefix(AtomicFile.temporaryPrefix) })
    #expect(try names == ["small.\(format)"])
    #expect(emitted.map(\.digest) == verdict.receipts.map(\.candidate.weights))
    #expect(try ModelLoader.open(emitted[0].path).digest == emitted[0].digest)
  }

  /// The bytes of a file in memory are those of one on disk, and it never has a name.
  @Test func aFileInMemoryIsTheSameAsOneOnDisk() throws {
    var emitted: [EmittedModel] = []
    for storage in [StagedFile.Storage.memory, .disk] {
      let part = try part(.safetensors, in: storage)
      let outcome = try Prover(jobs: 1).run([part], against: [model], by: try gate()) {
        #expect(try names.isEmpty == (storage == .memory))
        return try $1()
      }
      guard case .proven(let models, let verdict) = outcome else {
        Issue.record("the gate refused")
        return
      }
      #expect(models.map(\.digest) == verdict.receipts.map(\.candidate.weights))
      #expect(try names.isEmpty == (storage == .memory))
      emitted += models
    }
    let onDisk = try MappedFile.contents(of: emitted[1].path, limit: 1 << 20)
    #expect(emitted[0].held == onDisk)
    #expect(emitted[1].held == nil)
    #expect(emitted[0].files == emitted[1].files)
    #expect(emitted[0].digest == ContentDigest(of: onDisk))
  }

  @Test(arguments: formats) func whatIsRefusedLeavesNothing(_ format: ModelFormat) throws {
    // Eight bits move every output a little.
    let gate = Gate(
      on: references, try Limits(profile: .strict, overrides: ["similarityDriftMean": 0]),
      threshold: nil, jobs: 1)
    let outcome = try Prover(jobs: 1).run([try part(format)], against: [model], by: gate)
    guard case .refused(let verdict, _) = outcome else {
      Issue.record("the gate passed a model that drifted")
      return
    }
    #expect(!verdict.reasons.isEmpty)
    #expect(try names.isEmpty)
  }

  /// A refused model can be staged once more; no receipt comes with it.
  @Test func aRefusedModelCanBeKeptUnproven() throws {
    let gate = Gate(
      on: references, try Limits(profile: .strict, overrides: ["similarityDriftMean": 0]),
      threshold: nil, jobs: 1)
    let outcome = try Prover(jobs: 1).run([try part(.safetensors)], against: [model], by: gate)
    guard case .refused(_, let compressed) = outcome else {
      Issue.record("the gate passed a model that drifted")
      return
    }
    let staged = try compressed[0].stage(beside: folder.path("out/kept.safetensors"))
    _ = try staged.commitUnproven()
    #expect(try names == ["kept.safetensors"])
  }

  /// Without references a model is seen before it has its name, and what is thrown then leaves nothing.
  @Test(arguments: formats) func anUnprovenModelIsSeenFirst(_ format: ModelFormat) throws {
    struct Broken: Error {}
    #expect(throws: Broken.self) {
      _ = try Prover(jobs: 1).runUnproven([try self.part(format)]) { _ in throw Broken() }
    }
    #expect(try names.isEmpty)
    var seen: [String] = []
    _ = try Prover(jobs: 1).runUnproven([try part(format)]) { candidates in
      seen = try names
      #expect(candidates.count == 1)
    }
    #expect(seen.allSatisfy { $0.hasPrefix(AtomicFile.temporaryPrefix) } && seen.count == 1)
    #expect(try names == ["small.\(format)"])
  }

  @Test(arguments: formats) func whatCannotBeJudgedLeavesNothing(_ format: ModelFormat) throws {
    let line = #"{"input": {"values": [1, 2, 3]}}"# + "\n"
    let wide = try ReferenceSet(
      path: try folder.write("wide.jsonl", String(repeating: line, count: 12)))
    let gate = Gate(on: wide, try Limits(), threshold: nil, jobs: 1)
    var seen: [String] = []
    #expect(throws: EvaluationError.self) {
      try Prover(jobs: 1).run([try part(format)], against: [model], by: gate) {
        seen = try names
        return try $1()
      }
    }
    #expect(seen.count == 1)
    #expect(try names.isEmpty)
  }

  /// What one part cannot take is known before another is written.
  @Test(arguments: formats) func everyPartIsPlannedBeforeOneIsWritten(
    _ format: ModelFormat
  ) throws {
    var isJudged = false
    // The weight has one channel.
    let parts = [try part(format), try part(format, .palette(bits: 4, .perGroup(size: 7)))]
    #expect(throws: CompressionError.self) {
      try Prover(jobs: 1).run(parts, against: [model], by: try gate()) {
        isJudged = true
        return try $1()
      }
    }
    #expect(!isJudged)
    #expect(try names.isEmpty)
  }

  /// A receipt of the same model in another format is of other bytes.
  @Test func aReceiptOfOtherBytesIsRefused() throws {
    let gate = try gate()
    let proving = Prover(jobs: 1)
    func commit(_ receipts: [DriftReceipt]) throws {
      _ = try proving.stage([try proving.compress(try part(.safetensors))]).commit(receipts)
    }
    let other = try proving.stage([try proving.compress(try part(.mlpackage))])
    let verdict = try gate.judge(other.models, against: [model])
    #expect(throws: EmissionError.self) { try commit(verdict.receipts) }
    #expect(try names.count == 1)
    _ = try other.commit(verdict.receipts)
    #expect(try names == ["small.mlpackage"])
  }
}
