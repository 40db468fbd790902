import Files
import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Formats

/// A receipt that says whatever a test wants.
struct SaidReceipt: ModelReceipt {
  var candidate: ModelDigests
  var packedBytes: [UInt8] = [1]

  /// One of the very model.
  init(of staged: borrowing StagedModel) throws {
    candidate = ModelDigests(
      weights: staged.digest, files: try staged.model.describingDigests())
  }
}

/// A written model is nowhere until a receipt names it, and then it is whole.
struct StagedModelTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let formats = [ModelFormat.safetensors, .mlpackage]

  private func path(_ format: ModelFormat, _ name: String = "small") -> String {
    folder.path("\(name).\(format)")
  }

  private func stage(_ format: ModelFormat, _ name: String = "small") throws -> StagedModel {
    let value = format.with(FormatChoices())
    let model = try SmallModels.embedding()
    let weights = try WeightCompressor.compress(
      weights: try model.usedWeights(), from: model.weights,
      options: try CompressionOptions(scheme: .int8(.perTensor), floats: value.floats), jobs: 1)
    return try value.stage(weights, of: model, recipe: "int8", at: ModelPlace(path(format, name)))
  }

  private var names: [String] { get throws { try Folder.names(in: folder.path) } }

  /// The digest, for use after the staged model is consumed.
  ///
  /// Never inlined: Swift 6.3.1 optimises the copy of a field away where the value that holds it is
  /// consumed later in the same function, and then the text of the digest is freed too early.
  @inline(never) private func writtenDigest(of staged: borrowing StagedModel) -> ContentDigest {
    staged.digest
  }

  /// The error of a commit that fails; nil where it succeeds.
  private func refusal(of staged: consuming StagedModel, by receipt: SaidReceipt) -> String? {
    do {
      _ = try staged.commit(receipt)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func refusal(of staged: consuming StagedModels, by receipts: [SaidReceipt]) -> String? {
    do {
      _ = try staged.commit(receipts)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: formats) func liesUnderAHiddenNameUntilItIsCommitted(
    _ format: ModelFormat
  ) throws {
    let staged = try stage(format)
    let (hidden, final) = (try names, staged.path)
    let (read, digest) = (staged.model.digest, writtenDigest(of: staged))
    #expect(hidden.count == 1)
    #expect(hidden.allSatisfy { $0.hasPrefix(AtomicFile.temporaryPrefix) })
    #expect(final == path(format))
    #expect(read == digest)
    let receipt = try SaidReceipt(of: staged)
    let emitted = try staged.commit(receipt)
    #expect(try names == ["small.\(format)"])
    #expect(emitted.path == path(format))
    #expect(emitted.format == format)
    #expect(emitted.digest == digest)
    #expect(try format.type.contents(of: emitted.path).files == emitted.files)
    #expect(try ModelLoader.open(emitted.path).digest == digest)
  }

  @Test(arguments: formats) func isDeletedWhereItIsNotCommitted(_ format: ModelFormat) throws {
    func leave() throws -> [String] {
      let staged = try stage(format)
      let seen = try names
      #expect(staged.path == path(format))
      return seen
    }
    #expect(try leave().count == 1)
    #expect(try names.isEmpty)
  }

  @Test(arguments: formats) func aReceiptOfOtherBytesGivesNoName(_ format: ModelFormat) throws {
    let staged = try stage(format)
    let digest = writtenDigest(of: staged)
    var receipt = try SaidReceipt(of: staged)
    receipt.candidate.weights = ContentDigest(of: [7])
    let text = refusal(of: staged, by: receipt)
    #expect(
      text
        == "\(path(format)): the receipt is of \(ContentDigest(of: [7])), the model that was "
        + "written is \(digest); nothing was written")
    #expect(try names.isEmpty)
  }

  /// The same weights, described by another file.
  @Test(arguments: formats) func aReceiptOfOtherFilesGivesNoName(_ format: ModelFormat) throws {
    let staged = try stage(format)
    var receipt = try SaidReceipt(of: staged)
    receipt.candidate.files["tokenizer.json"] = ContentDigest(of: [7])
    let text = refusal(of: staged, by: receipt)
    #expect(
      text
        == "\(path(format)): the receipt is of a model that other files describe; "
        + "nothing was written")
    #expect(try names.isEmpty)
  }

  @Test(arguments: formats) func whatChangedSinceItWasJudgedGetsNoName(
    _ format: ModelFormat
  ) throws {
    let staged = try stage(format)
    let receipt = try SaidReceipt(of: staged)
    let files = staged.model.weights.files
    let file = try #require(files.first { $0.hasSuffix("weight.bin") } ?? files.first)
    var bytes = try MappedFile.contents(of: file, limit: 1 << 20)
    bytes[bytes.count - 1] ^= 1
    try AtomicFile.write(bytes, to: file)
    let text = refusal(of: staged, by: receipt)
    #expect(
      text
        == "\(path(format)): was changed by something else while it was judged; "
        + "nothing was written")
    #expect(try names.isEmpty)
  }

  /// The door that says so.
  @Test(arguments: formats) func whatNobodyJudgedIsCommittedByName(_ format: ModelFormat) throws {
    let emitted = try stage(format).commitUnproven()
    #expect(try names == ["small.\(format)"])
    #expect(try ModelLoader.open(emitted.path).digest == emitted.digest)
  }

  @Test(arguments: formats) func twoGetTheirNamesTogether(_ format: ModelFormat) throws {
    let one = try stage(format, "one")
    let other = try stage(format, "other")
    let receipts = [try SaidReceipt(of: one), try SaidReceipt(of: other)]
    let both = both(one, other)
    let read = both.models.map(\.digest)
    #expect(read == receipts.map(\.candidate.weights))
    let emitted = try both.commit(receipts)
    #expect(emitted.map(\.path) == [path(format, "one"), path(format, "other")])
    #expect(try names == ["one.\(format)", "other.\(format)"])
  }

  @Test(arguments: formats) func oneForeignReceiptKeepsBothFromTheirNames(
    _ format: ModelFormat
  ) throws {
    let one = try stage(format, "one")
    let other = try stage(format, "other")
    var receipts = [try SaidReceipt(of: one), try SaidReceipt(of: other)]
    receipts[1].candidate.weights = ContentDigest(of: [7])
    let text = refusal(of: both(one, other), by: receipts)
    #expect(text?.hasPrefix("\(path(format, "other")): the receipt is of ") == true)
    #expect(try names.isEmpty)
  }

  @Test(arguments: formats) func oneWithoutItsNameTakesTheOtherBack(_ format: ModelFormat) throws {
    let one = try stage(format, "one")
    let other = try stage(format, "other")
    let receipts = [try SaidReceipt(of: one), try SaidReceipt(of: other)]
    // A folder with something in it is replaced by neither a file nor a package.
    try Folder.create(path(format, "other") + "/mine")
    let text = refusal(of: both(one, other), by: receipts)
    #expect(text?.hasPrefix("\(path(format, "other")): cannot write: ") == true)
    #expect(try names == ["other.\(format)"])
  }

  private func both(
    _ one: consuming StagedModel, _ other: consuming StagedModel
  ) -> StagedModels {
    var both = StagedModels()
    both.append(one)
    both.append(other)
    return both
  }
}

/// The list of formats, and the message about an unknown one.
struct ModelFormatTests {
  @Test func formatsAreFoundByTheirNames() throws {
    #expect(ModelFormat.allCases.map(\.name) == ["safetensors", "mlpackage", "mlmodel"])
    for format in ModelFormat.allCases { #expect(try ModelFormat(named: format.name) == format) }
  }

  @Test(arguments: ["onnx", "", "Safetensors", "mlpackage\u{301}"])
  func anUnknownFormatIsNoOther(_ name: String) {
    #expect(ModelFormat(name) == nil)
    let known = ["safetensors", "mlpackage", "mlmodel"]
    #expect(throws: EmissionError.unknownFormat(name: name, known: known)) {
      try ModelFormat(named: name)
    }
  }

  @Test func theErrorNamesTheFormatAndTheKnownOnes() {
    #expect(
      "\(EmissionError.unknownFormat(name: "onnx", known: ["safetensors", "mlpackage"]))"
        == "'onnx' is not a format; known: safetensors, mlpackage")
  }
}
