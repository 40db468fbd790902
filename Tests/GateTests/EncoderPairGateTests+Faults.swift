import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

// What is refused or an error before anything is compared, and outputs given in place of models.
extension EncoderPairGateTests {
  // MARK: - Numbers that are none

  @Test func aWeightThatIsNoNumberInEitherEncoderIsRefused() throws {
    let new = try slightly()
    let badText = try DummyEncoders.text(["tea": (.nan, 0)])
    let badImage = try DummyEncoders.image(.infiniteRed)
    let text =
      "the candidate's weight 'table' has 1 value that is not finite, the first (nan) at [7, 0]"
    let image =
      "the candidate's weight 'visual' has 4 values that are not finite, the first (inf) at [0, 0]"
    #expect(try judge([new.image, badText]).reasons == [text])
    #expect(try judge([badImage, new.text]).reasons == [image])
    #expect(try judge([badImage, badText]).reasons == [image, text])
    #expect(try judge([badText]).reasons == [text])
    // The baseline's own, too, where it is what runs.
    #expect(
      try judge([new.text], [badImage, try DummyEncoders.text()]).reasons == [
        "the baseline's weight 'visual' has 4 values that are not finite, the first (inf) "
          + "at [0, 0]"
      ])
  }

  @Test func outputsOfOneEncoderThatAreNoNumbersAreRefused() throws {
    // No sum of these words is finite, or has a length.
    let zero = try judge(
      [try slightly().image, try DummyEncoders.text(["red": (0, 0)])])
    #expect(zero.metrics == nil && zero.receipts.isEmpty)
    #expect(
      zero.reasons.first
        == "2 of 18 outputs of the candidate are not finite, for 1 of 9 inputs, first for "
        + #""red" (line 5)"#)
  }

  // MARK: - What does not go together

  @Test func encodersThatDoNotGoTogetherAreErrors() throws {
    let (image, text) = (try DummyEncoders.image(), try DummyEncoders.text(origin: "other"))
    let dense = try denseModel([[1]], origin: "flow")
    #expect(
      fault([text, try DummyEncoders.text(origin: "again")])
        == "the candidate has two models that take a text: 'other' and 'again'; one image encoder "
        + "and one text encoder can stand together")
    #expect(
      fault([text], [image, try DummyEncoders.image(origin: "twin")])
        == "the baseline has two models that take an image: 'model' and 'twin'; one image encoder "
        + "and one text encoder can stand together")
    #expect(
      fault([image, dense])
        == "the candidate has two models, and 'flow' takes a list of values; one image encoder "
        + "and one text encoder can stand together")
    #expect(fault([]) == "the candidate has no model")
    #expect(fault([text], []) == "the baseline has no model")
    #expect(
      fault([image, text], [text])
        == "the baseline has no image encoder for the candidate's 'model' to be compared with")
    #expect(
      fault([dense])
        == "the baseline has no model of values for the candidate's 'flow' to be compared with")
    #expect(
      fault([image], [text])
        == "the candidate's input is an image of 2 × 2 pixels, the baseline's is a text of at most "
        + "8 tokens of 12")
  }

  @Test func embeddingsOfOtherWidthsAreErrors() throws {
    let wide = try DummyEncoders.text { $0.width = 3 }
    #expect(
      fault([wide], [try DummyEncoders.image(), wide])
        == "the text encoder gives an embedding of 3, the image encoder an embedding of 2")
    #expect(
      fault([wide])
        == "the candidate's output is an embedding of 3, the baseline's is an embedding of 2")
    let numbers = try DummyEncoders.image { $0.isEmbedding = false }
    #expect(
      fault([numbers], [numbers, try DummyEncoders.text()])
        == "the image encoder 'model' gives 2 numbers, expected an embedding beside another encoder"
    )
  }

  @Test func anInputWithoutItsEncoderIsAnError() throws {
    let text = try DummyEncoders.text(), image = try DummyEncoders.image()
    #expect(
      fault([text], [text])
        == "DIR/refs.jsonl:1: bottle.png: is an image, the model takes a text; its image encoder is "
        + "missing: give both encoders of the model, not its text encoder alone")
    #expect(
      fault([image], [image])
        == #"DIR/refs.jsonl:1: "a water bottle": is a text of 14 characters, "#
        + "the model takes an image; its text encoder is missing: give both encoders of the "
        + "model, not its image encoder alone")
    #expect(
      fault([image], lines: [pair(#"{"values": [1]}"#, text_("tea"))])
        == "DIR/refs.jsonl:1: [1.0]: is a list of values, the encoders take an image or a text")
  }

  private func text_(_ words: String) -> String { ModelFixtures.text(words) }

  @Test func aCandidateThatWouldNotBeJudgedIsAnError() throws {
    let images = [pair(image("bottle.png"), image("cup.png"))]
    let why =
      "DIR/refs.jsonl: holds 1 pair; none has a text, so the candidate's text encoder would not be "
      + "judged"
    #expect(fault([try slightly().text], lines: images) == why)
    #expect(fault([try slightly().image, try slightly().text], lines: images) == why)
    #expect(
      fault([try slightly().image], lines: [pair(text_("tea"), text_("red"))])
        == "DIR/refs.jsonl: holds 1 pair; none has an image, so the candidate's image encoder would "
        + "not be judged")
  }

  @Test func whatCanBeKnownBeforeIsChecked() throws {
    let set = try folder.references(Self.lines)
    let (image, text) = (try DummyEncoders.image(), try DummyEncoders.text())
    #expect(throws: Never.self) {
      try Gate.check(baseline: [image, text], candidate: [text], on: set)
    }
    #expect(
      folder.plain(refusal { try Gate.check(baseline: [text], candidate: [text], on: set) })
        .hasPrefix(
          "DIR/refs.jsonl:1: bottle.png: is an image, the model takes a text; its image encoder"))
    #expect(
      refusal { try Gate.check(baseline: [image, text], candidate: [text], on: set, threshold: 2) }
        == "the threshold is 2, expected a number from -1 to 1")
  }

  // MARK: - Given outputs

  @Test func outputsOfAMixedSetMayBeGiven() throws {
    let set = try folder.references(Self.lines)
    let models = [try DummyEncoders.image(), try DummyEncoders.text()]
    let all = try set.inputs.map { input in
      let model = models[input.kind == .image ? 0 : 1]
      return try ModelRunner(model: model, jobs: 1).outputs(for: [input], images: set.images)
    }
    let rows = set.inputOfRow.flatMap { all[$0].values }
    let given = GateSide.outputs(
      OutputMatrix(rowCount: set.inputOfRow.count, width: 2, values: rows), path: "o.npy")
    for (baseline, candidate) in [
      (GateSide.models(models), given), (given, .models(models)), (given, given),
    ] {
      let verdict = try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
        candidate, against: baseline)
      #expect(verdict.isPassed && verdict.receipts.isEmpty)
    }
    #expect(
      folder.plain(
        refusal {
          _ = try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
            .models([models[1]]), against: given)
        }
      ).contains("bottle.png: is an image, the model takes a text; its image encoder is"))
  }
}
