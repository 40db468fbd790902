import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate

/// Models of two encoders before the gate.
struct EncoderPairGateTests {
  let folder: PictureFolder

  init() throws { folder = try PictureFolder() }

  static let lines = [
    pair(image("bottle.png"), text("a water bottle")), pair(image("leaf.png"), text("green")),
    pair(image("cup.png"), text("cup of tea")), pair(image("tea/pot.png"), text("tea")),
    pair(image("bottle.png"), text("red")), pair(image("leaf.png"), text("red")),
    pair(image("cup.png"), image("tea/pot.png")), pair(text("green"), text("tea")),
  ]

  func judge(
    _ candidate: [Model], _ baseline: [Model]? = nil, lines: [String] = lines,
    limits: Limits? = nil, threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(on: folder.references(lines), limits ?? Limits(), threshold: threshold, jobs: 1).judge(
      .models(candidate),
      against: .models(try baseline ?? [DummyEncoders.image(), DummyEncoders.text()]))
  }

  func fault(_ candidate: [Model], _ baseline: [Model]? = nil, lines: [String] = lines)
    -> String
  {
    folder.plain(refusal { _ = try judge(candidate, baseline, lines: lines) })
  }

  func slightly(_ origin: String = "candidate") throws -> (image: Model, text: Model) {
    (
      try DummyEncoders.image(.greenInRed(0.001), origin: origin),
      try DummyEncoders.text(["tea": (0.801, 0.6)], origin: origin)
    )
  }

  // MARK: - Receipts

  @Test func bothEncodersPassWithAReceiptEach() throws {
    let old = (image: try DummyEncoders.image(), text: try DummyEncoders.text())
    let new = try slightly()
    let verdict = try judge([new.image, new.text], [old.image, old.text])
    #expect(verdict.reasons == [])
    #expect(verdict.warnings == [])
    #expect(verdict.receipts.count == 2)
    #expect(verdict.receipt == nil)
    let (image, text) = (verdict.receipts[0], verdict.receipts[1])
    #expect(image.encoder == .image && text.encoder == .text)
    #expect(
      image.baseline.weights == old.image.digest && image.candidate.weights == new.image.digest)
    #expect(text.baseline.weights == old.text.digest && text.candidate.weights == new.text.digest)
    #expect(image.partner?.encoder == .text && text.partner?.encoder == .image)
    #expect(image.partner?.baseline.weights == old.text.digest)
    #expect(image.partner?.candidate.weights == new.text.digest)
    #expect(text.partner?.baseline.weights == old.image.digest)
    #expect(text.partner?.candidate.weights == new.image.digest)
    #expect(Array(image.candidate.files.keys) == ["preprocessor_config.json"])
    #expect(image.partner.map { Array($0.candidate.files.keys) } == ["tokenizer.json"])
    #expect(image.metrics == text.metrics)
    #expect(image.metrics.inputs == 9 && image.metrics.pairs == 8)
    #expect(image.references == text.references)
    // In the order of the candidates.
    let turned = try judge([new.text, new.image], [old.image, old.text])
    #expect(turned.receipts == [text, image])
  }

  @Test func aPartnerIsNamedByTheFilesOfBothSides() throws {
    let new = try slightly()
    let prepared = try Model(
      origin: "candidate", architecture: new.image.architecture,
      files: ModelFiles(
        carriedBy: "candidate",
        texts: ["preprocessor_config.json": DummyEncoders.processor() + Array(" ".utf8)]),
      weights: new.image.weights)
    let partner = try #require(try judge([prepared, new.text]).receipts.last?.partner)
    let (old, other) = (DummyEncoders.processor(), DummyEncoders.processor() + Array(" ".utf8))
    #expect(partner.baseline.files == ["preprocessor_config.json": ContentDigest(of: old)])
    #expect(partner.candidate.files == ["preprocessor_config.json": ContentDigest(of: other)])
  }

  @Test func oneEncoderIsJudgedBesideTheBaselinesOwn() throws {
    let old = (image: try DummyEncoders.image(), text: try DummyEncoders.text())
    let new = try slightly()
    let verdict = try judge([new.text], [old.image, old.text])
    let receipt = try #require(verdict.receipt)
    #expect(receipt.candidate.weights == new.text.digest)
    #expect(receipt.encoder == .text)
    #expect(receipt.partner?.baseline.weights == old.image.digest)
    #expect(receipt.partner?.candidate.weights == old.image.digest)
    #expect(receipt.partner?.baseline.files == receipt.partner?.candidate.files)
    #expect(verdict.warnings == [])
  }

  @Test func withoutInputsForItTheOtherEncoderIsNoPartner() throws {
    let lines = [pair(text("tea"), text("red")), pair(text("a water bottle"), text("red"))]
    let alone = try judge([try slightly().text], [try DummyEncoders.text()], lines: lines)
    let beside = try judge([try slightly().text], lines: lines)
    #expect(alone.receipt != nil)
    #expect(alone.receipt == beside.receipt)
    #expect(alone.receipt?.partner == nil && alone.receipt?.encoder == nil)
    let images = [pair(image("bottle.png"), image("cup.png"))]
    let one = try judge([try slightly().image], [try DummyEncoders.image()], lines: images)
    #expect(one.receipt?.partner == nil && one.receipt != nil)
  }

  @Test func receiptsOfTwoAreReadBackAsWritten() throws {
    let new = try slightly()
    for receipt in try judge([new.image, new.text]).receipts {
      let recorded = try RecordedReceipt(
        Array(receipt.json.compact.utf8), origin: "r.json")
      #expect(recorded.records(receipt))
      #expect(recorded.partner == receipt.partner)
      #expect(recorded.encoder == receipt.encoder)
    }
    let text = try #require(try judge([new.text]).receipt).json
    let image = try DummyEncoders.image()
    let file = ContentDigest(of: DummyEncoders.processor()).hex
    let model =
      #"{"files":{"preprocessor_config.json":"\#(file)"},"sha256":"\#(image.digest.hex)"}"#
    #expect(
      text.compact.contains(
        #""partner":{"baseline":\#(model),"candidate":\#(model),"encoder":"image"}"#))
  }

  @Test func anEncoderThatIsTheBaselinesOwnIsNotRunTwice() throws {
    let seen = Seen()
    let new = try slightly()
    _ = try Gate(on: folder.references(Self.lines), Limits(), threshold: nil, jobs: 1).judge(
      .models([new.text]), against: .models([try DummyEncoders.image(), try DummyEncoders.text()])
    ) { if case .running(let done, let all) = $0 { seen.add(done, all) } }
    // 4 images once, 5 texts twice.
    #expect(seen.last == [14, 14])
  }

  @Test func aModelJudgedByItselfPassesWithAWarning() throws {
    let verdict = try judge([try DummyEncoders.image(), try DummyEncoders.text()])
    #expect(verdict.receipts.count == 2)
    #expect(
      verdict.warnings == [
        "baseline and candidate are the same bytes: a model was judged by itself"
      ])
  }

  @Test func aSetThatNeverMixesIsAWarning() throws {
    let verdict = try judge(
      [try slightly().text],
      lines: [
        pair(text("tea"), text("red")), pair(image("bottle.png"), image("cup.png")),
      ])
    #expect(
      verdict.warnings.contains(
        "the set holds images and texts, but no pair of one with another"))
  }
}
