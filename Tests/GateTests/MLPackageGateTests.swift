import Files
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats
@testable import Gate
@testable import Inputs

/// A Core ML package of a small BERT against the model it was made from.
final class MLPackageGateTests {
  private let folder: String
  private var path: String { folder + "/X.mlpackage" }

  init() throws { folder = try Files.Folder.createTemporary(in: "/tmp", prefix: "ingot-gate-") }

  deinit { try? Files.Folder.remove(folder) }

  private func baseline() throws -> Model { try TinyBert.model() }

  @discardableResult
  private func write(
    _ model: Model, _ options: CoreMLOptions = CoreMLOptions(),
    calibration: CalibrationRecord? = nil,
    changing change: (CompressedTensor) throws -> CompressedTensor = { $0 }
  ) throws -> Model {
    let plain = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: nil, floats: .float16), jobs: 1)
    let weights = CompressedWeights(
      tensors: try plain.tensors.map(change), unused: plain.unused, calibration: calibration)
    _ = try CoreMLPackage(options: options).writeUnproven(
      weights, of: model, recipe: "uncompressed", to: path)
    return try candidate()
  }

  private func candidate() throws -> Model {
    try ModelLoader.open(
      path, files: ModelFiles(carriedBy: path, texts: ["tokenizer.json": TinyBert.tokenizer]))
  }

  private func references() throws -> ReferenceSet { try TinyBert.references() }

  private func judge(_ baseline: Model, _ candidate: Model) throws -> Verdict {
    try Gate(on: references(), Limits(), threshold: nil, jobs: 2).judge(
      [candidate], against: [baseline])
  }

  @Test func float16Passes() throws {
    let baseline = try baseline()
    let candidate = try write(baseline)
    let verdict = try judge(baseline, candidate)
    #expect(verdict.reasons == [])
    #expect(verdict.warnings == [])
    let receipt = try #require(verdict.receipt)
    #expect(receipt.baseline.weights == baseline.digest)
    #expect(receipt.candidate.weights == candidate.digest)
    guard case .embeddings(let metrics) = receipt.metrics.drift else {
      Issue.record("no embeddings")
      return
    }
    #expect(metrics.cosine.min > 0.9999 && metrics.cosine.min < 1)
  }

  /// The receipt says what the package says it was fitted to.
  @Test func aReceiptNamesTheCalibration() throws {
    let baseline = try baseline()
    let calibration = CalibrationRecord(digest: ContentDigest(of: [7]), inputs: 3)
    let candidate = try write(baseline, calibration: calibration)
    #expect(candidate.calibration == calibration)
    let receipt = try #require(try judge(baseline, candidate).receipt)
    #expect(receipt.calibration == calibration)
    let recorded = try RecordedReceipt(Array(receipt.json.compact.utf8), origin: "r.json")
    #expect(recorded.calibration == calibration)
    #expect(recorded.json == receipt.json)
    // Without it, it is a receipt of something else.
    let plain = try write(baseline)
    let recalled = try Gate.recall(
      [recorded], baseline: [baseline], candidate: [plain], references: try references(),
      limits: try Limits(), threshold: nil)
    #expect(recalled == nil)
  }

  /// Fitting moves biases; without it a bias of three times the size is odd. That of keys changes
  /// nothing that is put out.
  @Test(arguments: [nil, CalibrationRecord(digest: ContentDigest(of: [7]), inputs: 3)])
  func fittedBiasesAreNoWarning(_ calibration: CalibrationRecord?) throws {
    let baseline = try baseline()
    let candidate = try write(baseline, calibration: calibration) { tensor in
      guard tensor.name.text.hasSuffix("layer.0.attention.self.key.bias") else { return tensor }
      return try CompressedTensor(
        tensor.reference,
        .uncompressed(tensor.dequantized().map { FloatType.float16.rounded($0 * 3) }),
        floats: .float16,
        relativeError: 2)
    }
    let verdict = try judge(baseline, candidate)
    #expect(verdict.isPassed)
    #expect(
      verdict.warnings.contains { $0.contains("key.bias' is no mere compression") }
        == (calibration == nil))
  }

  /// The set a model was fitted to cannot judge it, whatever comes of it.
  @Test func theCalibrationSetIsNoReference() throws {
    let baseline = try baseline()
    let references = try references()
    let candidate = try write(
      baseline, calibration: CalibrationRecord(digest: references.digest, inputs: 16))
    #expect(throws: EvaluationError.self) { try judge(baseline, candidate) }
    #expect(
      refusal { _ = try judge(baseline, candidate) }
        == "\(candidate.origin): was calibrated on \(references.origin), which cannot judge it; "
        + "use other references")
    // Nor does a receipt that says so count.
    let other = try write(
      baseline, calibration: CalibrationRecord(digest: ContentDigest(of: [7]), inputs: 16))
    let text = try #require(try judge(baseline, other).receipt).json.compact
      .replacing(ContentDigest(of: [7]).hex, with: references.digest.hex)
    #expect(
      refusal { _ = try RecordedReceipt(Array(text.utf8), origin: "r.json") }
        == "r.json:1:1: the receipt names one set as calibration and as references")
  }

  /// The sign of every value of one constant is turned over in the package.
  @Test func aDamagedConstantIsNamed() throws {
    let baseline = try baseline()
    try write(baseline)
    let name = "encoder.layer.1.output.dense.weight"
    let opened = try CoreMLPackage.open(
      path, origin: path, files: ModelFiles(carriedBy: path, texts: [:]))
    let block = try #require(
      opened.message.mlProgram.functions["main"]?.blockSpecializations["CoreML6"])
    let operation = try #require(
      block.operations.first { $0.outputs[0].name == Identifier.make(from: name) })
    let offset = try #require(operation.attributes["val"]).blobFileValue.offset
    let file = path + "/" + MLPackageLayout.weights
    var bytes = try MappedFile.contents(of: file, limit: 1 << 20)
    for place in stride(from: Int(offset) + 64, to: Int(offset) + 64 + 2 * 128, by: 2) {
      bytes[place + 1] ^= 0x80
    }
    try AtomicFile.write(bytes, to: file)
    let verdict = try judge(baseline, try candidate())
    #expect(verdict.receipt == nil)
    #expect(!verdict.isPassed)
    let blamed = verdict.reasons.filter { $0.contains("swapping in '\(name)' alone") }
    #expect(blamed.count == 1, "\(verdict.reasons)")
    #expect(blamed.allSatisfy { $0.hasSuffix("all its values are negated") }, "\(blamed)")
  }

  @Test func aValueThatIsNoNumberIsNamed() throws {
    let baseline = try baseline()
    try write(baseline)
    let file = path + "/" + MLPackageLayout.weights
    var bytes = try MappedFile.contents(of: file, limit: 1 << 20)
    // The first record holds the table of tokens.
    (bytes[128], bytes[129]) = (0, 0x7e)
    try AtomicFile.write(bytes, to: file)
    #expect(
      try judge(baseline, try candidate()).reasons == [
        "the candidate's weight 'embeddings_word_embeddings_weight' has 1 value that is not finite, "
          + "the first (nan) at [0, 0]"
      ])
  }

  @Test func aShorterLengthIsAWarning() throws {
    let baseline = try baseline()
    let candidate = try write(baseline, CoreMLOptions(sequenceLengths: [5]))
    let verdict = try judge(baseline, candidate)
    #expect(verdict.isPassed)
    #expect(
      verdict.warnings == ["the candidate cuts texts at 5 tokens, the baseline at 10"])
    #expect(verdict.receipt?.warnings == verdict.warnings)
  }

  /// 'red dog runs', 'blue cat sleeps', 'a cat now' and 'dog and cat', and two tokens around each.
  @Test func textsThatAPackageCutsAreNamed() throws {
    let baseline = try baseline()
    let verdict = try judge(
      baseline, try write(baseline, CoreMLOptions(sequenceLengths: [4])))
    #expect(!verdict.isPassed)
    let words =
      "cuts 4 of 8 texts at 4 tokens, first \"blue cat sleeps\" (line 1), the baseline reads up to 10"
    #expect(verdict.reasons.contains("the candidate \(words)"), "\(verdict.reasons)")
    let first = try #require(verdict.culprits.first)
    #expect(first.subject == .program)
    #expect(first.kind == .preprocessing)
    #expect(first.words == words)
  }

  /// A package is a program of its own: what it computes is told by what its weights do not make.
  @Test func aPackageThatComputesSomethingElseIsNamed() throws {
    let other = try TinyBert.model(
      files: [
        "1_Pooling/config.json": Array(
          #"{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}"#.utf8)
      ])
    let verdict = try judge(try baseline(), try write(other))
    #expect(!verdict.isPassed)
    let first = try #require(verdict.culprits.first)
    #expect(first.subject == .program)
    #expect(first.kind == .program)
    #expect(
      first.words.hasPrefix(
        "computes something else than the baseline, such as another pooling, activation or number "
          + "of heads: with all of its weights "), "\(first.words)")
    #expect(verdict.causes?.together?.left.isFinite != true)
  }

  /// Weights that make all of the drift are not mistaken for another computation.
  @Test func damagedWeightsOfAPackageAreNoOtherComputation() throws {
    let baseline = try baseline()
    let candidate = try write(
      try TinyBert.model { weights in
        let name: TensorName = "encoder.layer.1.output.dense.weight"
        let values = weights.tensors[name]?.values ?? []
        weights.tensors[name]?.values = values.map { -$0 }
      })
    let verdict = try judge(baseline, candidate)
    #expect(!verdict.isPassed)
    #expect(verdict.culprits.first?.kind == .negated, "\(verdict.reasons)")
    #expect(verdict.culprits.allSatisfy { $0.subject != .program }, "\(verdict.reasons)")
  }

  @Test func lengthsThatNoInputNeedsAreAWarning() throws {
    let baseline = try baseline()
    let verdict = try judge(
      baseline, try write(baseline, CoreMLOptions(sequenceLengths: [3, 8, 9, 10])))
    #expect(verdict.isPassed)
    #expect(
      verdict.warnings.contains(
        "no reference input needs the length 9, 10: the candidate was not judged there"),
      "\(verdict.warnings)")
  }

  /// Each text in the shortest graph that takes it gives what one long graph gives.
  @Test func severalLengthsGiveTheSame() throws {
    let baseline = try baseline()
    let inputs = ["who", "red dog runs", "a big red dog runs here"].map { Input.text($0) }
    let one = try ModelRunner(model: try write(baseline), jobs: 1).outputs(for: inputs)
    let several = try ModelRunner(
      model: try write(baseline, CoreMLOptions(sequenceLengths: [3, 5, 10])), jobs: 2
    ).outputs(for: inputs)
    #expect(zip(one.values, several.values).allSatisfy { abs($0 - $1) < 1e-5 })
    let whole = try ModelRunner(model: baseline, jobs: 1).outputs(for: inputs)
    #expect(zip(one.values, whole.values).allSatisfy { abs($0 - $1) < 0.01 })
  }

  @Test func textsNeedATokenizer() throws {
    try write(try baseline())
    let model = try ModelLoader.open(path)
    #expect(
      refusal { _ = try ModelRunner(model: model, jobs: 1) }
        == "\(path): 'tokenizer.json' is missing; a model that takes text needs it; "
        + "put it beside the package")
    try AtomicFile.write(TinyBert.tokenizer, to: folder + "/tokenizer.json")
    #expect(throws: Never.self) { try ModelRunner(model: try ModelLoader.open(self.path), jobs: 1) }
  }

  /// The baseline of another kind.
  @Test func anotherModelIsNotCompared() throws {
    let package = try write(try baseline())
    #expect(
      refusal { _ = try judge(try denseModel([[1, 2]]), package) }
        .contains("a text of at most 10 tokens of 20"))
  }
}
