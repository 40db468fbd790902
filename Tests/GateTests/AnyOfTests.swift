import ModelFixtures
import TestSupport
import Testing

@testable import Gate
@testable import Inputs

/// Sides with alternatives, where the best match counts.
struct AnyOfTests {
  private let folder: PictureFolder

  init() throws { folder = try PictureFolder() }

  @Test func alternativesAreReadInOrderAndShareInputs() throws {
    let set = try folder.references([
      pair(anyOf(text("x"), text("y"), text("x")), image("bottle.png")),
      pair(text("y"), anyOf(image("leaf.png"), image("bottle.png")), #", "expect": "match""#),
    ])
    #expect(
      set.inputs == [
        .text("x"), .text("y"), .image(path: "bottle.png"), .image(path: "leaf.png"),
      ])
    #expect(
      set.content
        == .pairs([
          .init(a: [0, 1, 0], b: [2], similarity: nil, expectation: nil, line: 1),
          .init(a: [1], b: [3, 2], similarity: nil, expectation: .match, line: 2),
        ]))
    #expect(set.inputOfRow == [0, 1, 0, 2, 1, 3, 2])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let line: String
    let fault: String
    var testDescription: String { name }
  }

  @Test(arguments: [
    Case(
      name: "none", line: pair(anyOf(), text("x")),
      fault: "1:17: 'anyOf' has 0 alternatives, expected 1 to 64"),
    Case(
      name: "too many",
      line: pair(
        #"{"anyOf": [\#(Array(repeating: text("y"), count: 65).joined(separator: ","))]}"#,
        text("x")), fault: "1:17: 'anyOf' has 65 alternatives, expected 1 to 64"),
    Case(
      name: "nested", line: pair(anyOf(text("x"), anyOf(text("y"))), text("x")),
      fault: "1:33: an 'anyOf' holds another; they do not nest"),
    Case(
      name: "kinds", line: pair(text("x"), anyOf(text("y"), text("z"), image("bottle.png"))),
      fault: "1:68: an alternative is an image, the first is a text; all are of one kind"),
    Case(
      name: "beside a text", line: pair(#"{"anyOf": [{"text": "y"}], "text": "z"}"#, text("x")),
      fault: "1:42: unknown key 'text'; known here: anyOf"),
    Case(
      name: "no list", line: pair(#"{"anyOf": {"text": "y"}}"#, text("x")),
      fault: "1:17: 'anyOf' is an object, expected an array"),
    Case(
      name: "numbers", line: pair(#"{"anyOf": [5]}"#, text("x")),
      fault: "1:18: an alternative of 'anyOf' is the number 5, "
        + "expected a string or an object with 'image', 'text' or 'values'"),
    Case(
      name: "of a sample", line: #"{"input": {"anyOf": [{"text": "y"}]}}"#,
      fault: "1:21: the feature 'anyOf' is an array of 1, expected a number, a text, true, false, "
        + "or null where it is missing"),
    Case(
      name: "all the same", line: pair(anyOf(text("x"), text("x")), text("x")),
      fault: "1:1: every pair holds the same input; at least two different ones are needed"),
  ])
  func hostileAlternatives(_ test: Case) {
    let fault = folder.plain(refusal { _ = try folder.references([test.line]) })
    #expect(fault == "DIR/refs.jsonl:\(test.fault)")
  }

  @Test func sixtyFourAlternativesAreRead() throws {
    let texts = (0..<64).map { text("\($0)") }.joined(separator: ",")
    let set = try folder.references([pair(#"{"anyOf": [\#(texts)]}"#, image("leaf.png"))])
    #expect(set.inputs.count == 65)
  }

  @Test func inputsBeyondTheLimitAreRefused() {
    let lines = (0..<640).map { line in
      let texts = (0..<63).map { text("\(line) \($0)") }.joined(separator: ",")
      return pair(#"{"anyOf": [\#(texts)]}"#, text("x\(line)"))
    }
    let fault = folder.plain(refusal { _ = try folder.references(lines) })
    #expect(fault.hasPrefix("DIR/refs.jsonl:626:"))
    #expect(fault.hasSuffix(": the set has more than 40000 distinct inputs"))
    #expect(throws: Never.self) { try folder.references(Array(lines.prefix(625))) }
  }

  // MARK: - The best match

  private func judge(
    _ candidate: Words, lines: [String], threshold: Double? = nil
  ) throws -> Verdict {
    try Gate(on: folder.references(lines), Limits(), threshold: threshold, jobs: 1).judge(
      .models([try DummyEncoders.text(candidate)]),
      against: .models([try DummyEncoders.image(), try DummyEncoders.text()]))
  }

  private typealias Words = [String: (Float, Float)]

  @Test func theBestMatchWinsOnEitherSide() throws {
    // Beside the bottle (red only) "red" is 1, "tea" 0.8, "green" 0.
    let set = try folder.references([
      pair(image("bottle.png"), anyOf(text("green"), text("tea"))),
      pair(anyOf(image("leaf.png"), image("bottle.png")), anyOf(text("tea"), text("red"))),
    ])
    let rows = try set.inputs.map { input in
      try ModelRunner(
        model: input.kind == .image ? DummyEncoders.image() : DummyEncoders.text(), jobs: 1
      )
      .outputs(for: [input], images: set.images).values
    }
    let outputs = OutputMatrix(rowCount: rows.count, width: 2, values: rows.flatMap { $0 })
    guard case .pairs(let pairs) = set.content else { return }
    let matches = pairs.map { Match($0, Vectors(outputs)) }
    #expect(abs(matches[0].similarity - 0.8) < 1e-6)
    #expect(set.inputs[matches[0].b] == .text("tea"))
    #expect(matches[1].similarity == 1)
    #expect(set.inputs[matches[1].a] == .image(path: "bottle.png"))
    #expect(set.inputs[matches[1].b] == .text("red"))
  }

  @Test func ofEquallyGoodAlternativesTheFirstWins() {
    let vectors = Vectors(OutputMatrix(rowCount: 3, width: 1, values: [1, 2, 3]))
    let match = Match(
      .init(a: [2, 1], b: [0, 1], similarity: nil, expectation: nil, line: 1), vectors)
    #expect(match.a == 2 && match.b == 0)
  }

  @Test func aMatchThatIsNoNumberIsNotPassedOver() {
    let vectors = Vectors(OutputMatrix(rowCount: 3, width: 2, values: [1, 0, 0, 0, 1, 1]))
    let match = Match(
      .init(a: [0], b: [2, 1], similarity: nil, expectation: nil, line: 1), vectors)
    #expect(match.similarity.isNaN)
  }

  @Test func driftIsThatOfTheBestMatch() throws {
    // "green" comes nearer to the bottle and stays behind "tea".
    let unmoved = try judge(
      ["green": (0.3, 0.9539)],
      lines: [
        pair(image("bottle.png"), anyOf(text("green"), text("tea"))),
        pair(image("leaf.png"), text("red")),
      ])
    guard case .embeddings(let metrics) = unmoved.metrics?.drift else {
      Issue.record("no metrics")
      return
    }
    #expect(metrics.similarityDrift.max == 0)
    #expect(metrics.cosine.min < 0.99)
  }

  @Test func theAlternativeThatWasLostOrGainedIsShown() throws {
    let lost = try judge(
      ["tea": (0.1, 0.995)],
      lines: [
        pair(image("bottle.png"), anyOf(text("green"), text("tea"))),
        pair(image("leaf.png"), text("red")),
      ], threshold: 0.5)
    #expect(
      lost.reasons.contains(
        #"bottle.png ↔ "tea": 0.8 → 0.1 (line 1); the text encoder moved it"#),
      "\(lost.reasons)")
    #expect(
      lost.flips.map(\.text) == [
        #"bottle.png ↔ "tea" crosses the threshold 0.5: 0.8 → 0.1 (line 1)"#
      ])
    let gained = try judge(
      ["green": (0.9, 0.4359)],
      lines: [
        pair(image("bottle.png"), anyOf(text("tea"), text("green")), #", "expect": "mismatch""#),
        pair(image("leaf.png"), text("red")),
      ], threshold: 0.85)
    #expect(
      gained.flips.map(\.text) == [
        #"bottle.png ↔ "green" crosses the threshold 0.85: 0.8 → 0.9 (line 1, expected a mismatch)"#
      ])
  }

  @Test func givenOutputsHaveARowForEachAlternative() throws {
    let set = try folder.references([
      pair(anyOf(text("x"), text("y")), text("z")), pair(text("x"), text("z")),
    ])
    func given(_ values: [Float]) -> GateSide {
      .outputs(OutputMatrix(rowCount: values.count / 2, width: 2, values: values), path: "o.npy")
    }
    func judge(_ values: [Float]) throws -> Verdict {
      try Gate(on: set, Limits(), threshold: nil, jobs: 1).judge(
        given(values), against: given([1, 0, 0, 1, 1, 1, 1, 0, 1, 1]))
    }
    #expect(try judge([1, 0, 0, 1, 1, 1, 1, 0, 1, 1]).isPassed)
    #expect(!(try judge([1, 0, 0, 1, 1, 0, 1, 0, 1, 0]).isPassed))
    #expect(
      refusal { _ = try judge([1, 0, 1, 1, 1, 0, 1, 1]) }
        == "o.npy: has 4 rows, the reference set needs 5 (one per input and alternative of each "
        + "pair)")
    #expect(
      refusal { _ = try judge([0, 1, 1, 0, 1, 1, 1, 0, 1, 1]) }
        == #"o.npy: rows 0 and 3 belong to the same input ("x") and differ; the rows are not in the "#
        + "order of the reference set")
  }
}
