import Graph
import ModelFixtures
import StrictJSON
import Testing
import Weights

@testable import Gate
@testable import Inputs

// Tokenizers, and how images are prepared.
extension UntouchedTests {
  func model(_ words: [String], origin: String = "candidate") throws -> Model {
    let model = try TinyBert.model(origin: origin)
    return try Model(
      origin: origin, architecture: model.architecture,
      files: model.files.replacing("tokenizer.json", by: wordPieceFile(words)),
      weights: model.weights)
  }

  /// Two words that no reference holds are in each other's place.
  @Test func aTokenizerWithTwoWordsSwappedIsRefused() throws {
    var words = TinyBert.words
    words.swapAt(Self.untouched[0], Self.untouched[1])
    let swapped = try model(words)
    let verdict = try judge(swapped)
    #expect(!verdict.isPassed && verdict.isPreparedOtherwise && verdict.metrics == nil)
    let start = "the candidate's tokenizer is not the baseline's: 2 pieces have another id, 'the"
    #expect(verdict.reasons.count == 1)
    #expect(verdict.reasons[0].hasPrefix(start), "\(verdict.reasons)")
    #expect(verdict.reasons[0].hasSuffix(" ('candidate' against 'baseline')"))
    // Told, it is a warning, and the receipt holds it without a path.
    let told = try judge(swapped, allowsOtherPreparation: true)
    #expect(told.isPassed, "\(told.reasons)")
    #expect(
      told.receipt?.warnings.contains { $0.hasPrefix(start) && !$0.contains("against") } == true)
  }

  /// The references have no capitals, so that they are the same tokens on both sides.
  @Test func lettersMadeSmallOnOneSideAreADifference() throws {
    func cased(_ model: Model) throws -> Model {
      let tokenizer = String(decoding: TinyBert.tokenizer, as: UTF8.self)
        .replacing(#""lowercase": true"#, with: #""lowercase": false"#)
      return try Model(
        origin: model.origin, architecture: model.architecture,
        files: model.files.replacing("tokenizer.json", by: Array(tokenizer.utf8))
          .replacing("tokenizer_config.json", by: Array(#"{"do_lower_case": false}"#.utf8)),
        weights: model.weights)
    }
    let candidate = try cased(
      TinyBert.model(
        origin: "candidate", settings: #"{"max_seq_length": 10, "do_lower_case": true}"#))
    let verdict = try judge(candidate, try cased(TinyBert.model()))
    #expect(!verdict.isPassed && verdict.isPreparedOtherwise)
    #expect(
      verdict.reasons.first?.hasPrefix(
        "the candidate's tokens of \"BIG DOG\" are not the baseline's: ") == true,
      "\(verdict.reasons)")
  }

  @Test func theSameVocabularyInOtherWordsIsTheSame() throws {
    let model = try TinyBert.model(origin: "candidate")
    let other = try Model(
      origin: "candidate", architecture: model.architecture,
      files: model.files.replacing(
        "tokenizer.json", by: wordPieceFile(TinyBert.words) + Array("\n".utf8)),
      weights: model.weights)
    #expect(try judge(other).isPassed)
  }

  @Test func imagesThatArePreparedOtherwiseAreRefused() throws {
    let folder = try PictureFolder()
    let text = String(decoding: DummyEncoders.processor(), as: UTF8.self)
    let image = try DummyEncoders.image(origin: "candidate")
    func judge(_ processor: String, allows: Bool = false) throws -> Verdict {
      let candidate = try Model(
        origin: "candidate", architecture: image.architecture,
        files: ModelFiles(
          carriedBy: "candidate", texts: ["preprocessor_config.json": Array(processor.utf8)]),
        weights: image.weights)
      return try Gate(
        on: folder.references([
          pair(ModelFixtures.image("bottle.png"), ModelFixtures.image("leaf.png"))
        ]), Limits(), threshold: nil, allowsOtherPreparation: allows, jobs: 1
      ).judge(.model(candidate), against: .model(try DummyEncoders.image()))
    }
    let bilinear = text.replacing(#""resample": 3"#, with: #""resample": 2"#)
    #expect(bilinear != text)
    #expect(
      try judge(bilinear).reasons == [
        "the candidate's images are resized, cropped or decoded otherwise than the baseline's "
          + "('candidate' against 'model')"
      ])
    #expect(try judge(bilinear, allows: true).isPassed)
    #expect(try judge(text + " ").isPassed)
  }

}
