import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Inputs count by what models see of them: what repeats proves nothing.
struct DistinctReferencesTests {
  /// Lines without anybody's word that a few are meant.
  private func strict(_ lines: [String]) throws -> ReferenceSet {
    var set = try references(lines)
    set.isFewMeant = false
    return set
  }

  private func texts(_ pairs: [(a: String, b: String)]) -> [String] {
    pairs.map { pair(text($0.a), text($0.b)) }
  }

  private func samples(_ values: [String]) -> [String] {
    values.map { #"{"input": {"values": [\#($0)]}}"# }
  }

  private func judge(_ set: ReferenceSet, _ new: [[Float]] = [[1, 0.4], [0, 1]]) throws -> Verdict {
    try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      [denseModel(new, digest: "candidate")], against: [denseModel([[1, 0], [0, 1]])])
  }

  private func judgeTexts(_ set: ReferenceSet) throws -> Verdict {
    let model = try TinyBert.model()
    return try Gate(on: set, Limits(), threshold: nil, jobs: 2).judge([model], against: [model])
  }

  // MARK: - Too few

  /// Of ten lines one shows what the candidate lost; without it any number of copies passes.
  @Test func linesThatRepeatCarryNothing() throws {
    let good = pairLine([1, 0], [-1, 0]), bad = pairLine([0, 1], [1, 1])
    let carried = Array(repeating: good, count: 200) + [bad]
    let verdict = try judge(try references(carried))
    #expect(!verdict.isPassed)
    #expect(verdict.metrics?.pairs == 201 && verdict.metrics?.distinct?.pairs == 2)
    let plain = try judge(try references([good, bad]))
    #expect(verdict.metrics?.drift == plain.metrics?.drift)
    #expect(
      refusal { _ = try judge(try strict(carried)) }
        == "refs.jsonl: has only 2 distinct pairs in 201 lines, a proof needs 8; line 2 is to the "
        + "model what line 1 is")
    #expect(
      judge200(good) == "refs.jsonl: has only 1 distinct pair in 200 lines, a proof needs 8; "
        + "line 2 is to the model what line 1 is")
  }

  private func judge200(_ line: String) -> String {
    refusal { _ = try judge(try strict(Array(repeating: line, count: 200))) }
  }

  @Test func fewLinesAreAnErrorUnlessMeant() throws {
    let lines = (0..<7).map { pairLine([1, Float($0)], [Float($0), -1]) }
    #expect(
      refusal { _ = try judge(try strict(lines)) }
        == "refs.jsonl: has only 7 pairs, a proof needs 8")
    let model = try denseModel([[1, 0], [0, 1]])
    #expect(
      refusal { try Gate.check(baseline: [model], candidate: [model], on: try strict(lines)) }
        == "refs.jsonl: has only 7 pairs, a proof needs 8")
    let meant = try judge(try references(lines), [[1, 0], [0, 1]])
    #expect(
      meant.receipt?.warnings == ["the reference set has only 7 pairs; fewer than 8 say little"])
  }

  @Test func manyPairsOfFewInputsAreFew() throws {
    let inputs: [[Float]] = [[1, 0], [0, 1], [1, 1], [1, -1], [2, 1]]
    let lines = inputs.indices.flatMap { a in
      inputs.indices.filter { $0 > a }.map { pairLine(inputs[a], inputs[$0]) }
    }
    #expect(lines.count == 10)
    #expect(
      refusal { _ = try judge(try strict(lines)) }
        == "refs.jsonl: has only 5 distinct inputs, a proof needs 8")
  }

  /// Whichever side comes first, and whatever is said of it.
  @Test func aPairIsOneWithItsSidesSwappedAndUnderAnotherLabel() throws {
    let lines = [
      pairLine([1, 0], [0, 1]), pairLine([0, 1], [1, 0]),
      pairLine([1, 0], [0, 1], #", "similarity": 2"#),
      pairLine([1, 0], [0, 1], #", "expect": "mismatch""#), pairLine([1, 0], [1, 1]),
    ]
    let verdict = try judge(try references(lines), [[1, 0], [0, 1]])
    // What is expected stays; it makes no other comparison.
    #expect(verdict.metrics?.distinct == .init(inputs: 3, pairs: 3))
    #expect(
      verdict.warnings.prefix(2) == [
        "the reference set has only 2 distinct pairs in 5 lines; fewer than 8 say little",
        "2 lines of the reference set are to the model what others are, line 2 what line 1 is; "
          + "they count once",
      ])
    #expect(
      verdict.summaryLines.last
        == "flips: 0; measured on 3 inputs in 3 pairs that are distinct, of 3 inputs in 5 pairs")
  }

  @Test func zeroIsMinusZero() throws {
    let set = try strict(samples((1...8).map { "\($0)" } + ["0.0", "-0.0"]))
    let model = try denseModel([[1]], .numbers)
    let verdict = try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
      [model], against: [model])
    #expect(verdict.metrics?.inputs == 10 && verdict.metrics?.distinct?.inputs == 9)
    #expect(verdict.warnings.last?.hasPrefix("1 line of the reference set is ") == true)
  }

  // MARK: - What a tokenizer and a decoder make of them

  @Test func textsOfEqualTokensAreOne() throws {
    let disguised = texts([
      ("a big dog", "a red cat"), ("A BIG DOG", "a red cat"), ("a big dog ", "a red cat"),
      ("a  big dog", "A red  cat"), ("a\u{200B} big dog", "a red cat"), ("dog", "cat"),
      ("who", "here"), ("now", "then"),
    ])
    #expect(
      refusal { _ = try judgeTexts(try strict(disguised)) }
        == "refs.jsonl: has only 4 distinct pairs in 8 lines, a proof needs 8; line 2 is to the "
        + "model what line 1 is")
    let verdict = try judgeTexts(try references(disguised))
    #expect(verdict.receipt?.metrics.distinct == .init(inputs: 8, pairs: 4))
    #expect(verdict.isPassed)
  }

  @Test func imagesOfEqualPixelsAreOne() throws {
    let folder = try PictureFolder()
    // The same picture in more pixels: another file, and the same when it is prepared.
    try folder.write(Picture.bytes(red: 255, green: 0, edge: 4), "again.png")
    let set = try folder.references([
      pair(image("bottle.png"), image("leaf.png")), pair(image("again.png"), image("leaf.png")),
    ])
    let model = try DummyEncoders.image()
    let verdict = try Gate(on: set, Limits(), threshold: nil, jobs: 2).judge(
      [model], against: [model])
    #expect(verdict.metrics?.inputs == 3)
    #expect(verdict.metrics?.distinct == .init(inputs: 2, pairs: 1))
  }

  // MARK: - What nobody can mean

  private func blind(_ body: @autoclosure () throws -> Verdict) -> String {
    refusal { _ = try body() }
  }

  @Test func oneInputIsAnErrorThoughFewAreMeant() throws {
    let model = try denseModel([[1]], .numbers)
    let set = try references(samples(Array(repeating: "3", count: 100)))
    #expect(
      blind(
        try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([model], against: [model]))
        == "refs.jsonl: every line holds the same input to the model, [3.0] (line 1); a model "
        + "cannot be judged on one")
    #expect(
      blind(try judgeTexts(try references(texts([("a dog", "A  dog"), ("a DOG", "a dog ")]))))
        == #"refs.jsonl: every line holds the same input to the model, "a dog" (line 1); a model "#
        + "cannot be judged on one")
  }

  @Test func unknownWordsAreAnErrorThoughFewAreMeant() throws {
    let set = try references(
      texts(
        (1...9).map { count in
          (String(repeating: "nothing ", count: count), "nowhere")
        }))
    #expect(
      blind(try judgeTexts(set))
        == "refs.jsonl: the tokenizer of 'baseline' knows no word of any text, first "
        + #""nothing " (line 1); a model cannot be judged on unknown words"#)
    let one = try references(texts([("nothing", "nowhere at all"), ("a dog", "nothing of it")]))
    #expect(try judgeTexts(one).isPassed)
  }

  @Test func embeddingsThatAreAllAlikeAreAnErrorThoughFewAreMeant() throws {
    let flat = try denseModel([[1, 0], [2, 0]])
    let set = try references((1...9).map { pairLine([Float($0), 1], [Float($0), -1]) })
    #expect(
      blind(
        try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([flat], against: [flat]))
        == "refs.jsonl: all embeddings of the baseline are alike (every cosine above 0.9999); a "
        + "candidate that looked at no input would pass")
    // One that is another is enough to tell.
    let more = try references(
      (1...9).map { pairLine([Float($0), 1], [Float($0), -1]) } + [pairLine([-1, 0], [1, 1])])
    #expect(
      try Gate(on: more, Limits(), threshold: nil, jobs: 1).judge([flat], against: [flat]).isPassed)
  }

  @Test func outputsThatAreAllEqualAreAnErrorThoughFewAreMeant() throws {
    let constant = try denseModel([[0]], .binary)
    let set = try references(samples((1...9).map { "\($0)" }))
    #expect(
      blind(
        try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([constant], against: [constant]))
        == "refs.jsonl: all outputs of the baseline are equal; a candidate that looked at no input "
        + "would pass")
  }

  /// Outputs given in files are looked at as those of a model.
  @Test func givenOutputsAreFoldedToo() throws {
    let lines = samples(["1", "2", "1", "3", "-0.0", "0.0"])
    let outputs = OutputMatrix(rowCount: 6, width: 1, values: [1, 2, 1, 3, 0, 0])
    let side = GateSide.outputs(outputs, path: "o.npy")
    let verdict = try Gate(on: references(lines), Limits(), threshold: nil, jobs: 1).judge(
      side, against: side)
    #expect(verdict.metrics?.distinct == .init(inputs: 4, pairs: 0))
    #expect(verdict.isPassed)
  }

  // MARK: - Memory

  /// What looked at the baseline before the gate changes nothing that the gate says.
  @Test func embeddingsThatAreKnownGiveTheSameReceipt() throws {
    let model = try TinyBert.model()
    let candidate = try TinyBert.model(origin: "candidate") { weights in
      weights.change("encoder.layer.0.output.dense.weight") { $0 * 1.0001 }
    }
    func receipt(_ set: ReferenceSet) throws -> DriftReceipt? {
      try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge([candidate], against: [model])
        .receipt
    }
    let known = try TinyBert.references()
    let (numbers, outputs) = try known.embeddings(by: model, model.digests(), jobs: 1)
    #expect(numbers == Array(known.inputs.indices) && outputs.rowCount == 8)
    #expect(!known.memory.isEmpty)
    let receipts = (try receipt(known), try receipt(try TinyBert.references()))
    #expect(receipts.0 != nil && receipts.0 == receipts.1)
  }
}
