import Files
import Formats
import Graph
import ModelFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// Causes that the pattern of rows hints at, on the quickstart's encoder of texts.
struct SourceHintsTests {
  private let model: Model
  private let files: SourceFiles

  init() throws {
    model = try ModelLoader.open(
      "\(Program.repository)/specs/examples/quickstart/models/sentence-encoder")
    files = try SourceFiles()
  }

  /// The hints where the vectors of some texts are those of other texts.
  private func hints(_ texts: [String], as others: (String) -> String) throws -> [SourceHint] {
    try files.write(
      texts.map { #"{"text": "\#($0)"}"# }.joined(separator: "\n"), "inputs.jsonl")
    let outputs = try ModelRunner(model: model, jobs: 2).outputs(
      for: texts.map { .text(others($0)) })
    try files.write((0..<outputs.rowCount).map { Array(outputs[$0]) })
    let finding = try files.check().run([model], jobs: 2)
    #expect(!finding.isAgreed)
    return finding.hints
  }

  private let short = [
    "drink water", "go to bed", "stretch after lunch", "walk more", "log a meal", "cancel it",
    "sleep well",
  ]

  @Test func onlyLongTextsMeanAnotherLength() throws {
    let long = (1...3).map { String(repeating: "drink water every hour ", count: 20 + $0) }
    let found = try hints(short + long) { text in
      text.split(separator: " ").prefix(20).joined(separator: " ")
    }
    #expect(found.count == 1)
    guard case .longTexts(let tokens, let limit) = found[0] else {
      Issue.record("\(found)")
      return
    }
    #expect(tokens > 12 && limit > 0)
    #expect(
      found[0].words
        == "only long texts differ, those of \(tokens) tokens and more: texts were cut at another "
        + "length, or on the other side; the model's is \(limit) tokens ('max_seq_length', "
        + "'model_max_length', 'truncation_side')")
  }

  @Test func onlyCapitalsMeanLowerCasing() throws {
    let cased = ["Drink Water", "Sleep Well"]
    let found = try hints(short + cased) { text in
      text.contains(where: \.isUppercase) ? "something else" : text
    }
    #expect(found == [.letters(.upperCase)])
    #expect(
      found.map(\.words) == [
        "only texts with upper-case letters differ: texts are put into lower case on one side only "
          + "('do_lower_case')"
      ])
  }

  @Test func onlyAccentsMeanStripping() throws {
    let found = try hints(short + ["caf\u{E9} visit", "na\u{EF}ve idea"]) { text in
      text.unicodeScalars.contains { $0.value > 127 } ? "something else" : text
    }
    #expect(found == [.letters(.beyondASCII)])
    #expect(found[0].words.hasPrefix("only texts with accents or letters beyond ASCII differ"))
  }

  @Test func everyRowMeansAPrompt() throws {
    let found = try hints(short + ["one more"]) { "query: \($0)" }
    #expect(found == [.everyRow(ofTexts: true)])
    let known = "every row differs: another prompt (or none), another pooling, or a module after "
    #expect(
      found[0].sentence { "ingot \($0)" }
        == known
        + "the pooling; 'ingot inspection' shows how the model is read, and its own library "
        + "what it does")
    #expect(found[0].words == known + "the pooling; its own library shows what it does")
  }

  /// A cause, its form for programs, and what its sentence begins with.
  struct Case: Sendable {
    let hint: SourceHint
    let json: String
    let start: String
  }

  static let cases = [
    Case(
      hint: .order(row: 0, line: 2), json: #"{"id":"other-order","line":2,"row":0"#,
      start:
        "the rows are in another order than the lines: row 0 is what the model gives for line 2"),
    Case(
      hint: .lengths(.givenAreUnit), json: #"{"id":"lengths","normalised":"given""#,
      start: "every direction agrees and only the lengths of vectors differ; the given ones have "),
    Case(
      hint: .lengths(.modelsAreUnit), json: #"{"id":"lengths","normalised":"model""#,
      start:
        "every direction agrees and only the lengths of vectors differ; the model's have length "),
    Case(
      hint: .lengths(.first(given: 2, model: 0.5)),
      json: #"{"given":2.0,"id":"lengths","model":0.5,"normalised":null"#,
      start:
        "every direction agrees and only the lengths of vectors differ; their lengths are 2 and "),
    Case(
      hint: .longTexts(tokens: 40, limit: 32), json: #"{"id":"long-texts","limit":32"#,
      start: "only long texts differ, those of 40 tokens and more: "),
    Case(
      hint: .letters(.upperCase), json: #"{"id":"letters","letters":"upper-case""#,
      start: "only texts with upper-case letters differ: "),
    Case(
      hint: .letters(.beyondASCII), json: #"{"id":"letters","letters":"beyond-ascii""#,
      start: "only texts with accents or letters beyond ASCII differ: "),
    Case(
      hint: .someRows, json: #"{"id":"some-rows","sentence":"#,
      start: "some rows differ and others do not: "),
    Case(
      hint: .halfPrecision, json: #"{"id":"half-precision","sentence":"#,
      start: "every row is off by a little, as when the vectors were made in half precision: "),
    Case(
      hint: .everyRow(ofTexts: false), json: #"{"id":"every-row","sentence":"#,
      start: "every row differs: other weights, or inputs that are prepared in another way"),
    Case(
      hint: .outputs(.activation(missing: .softmax)),
      json: #"{"activation":"softmax","id":"missing-activation""#,
      start:
        "the outputs are not from 0 to 1, as logits are: the softmax is missing; give the last "),
    Case(
      hint: .outputs(.otherLabel), json: #"{"id":"other-label","sentence":"#,
      start: "each is 1 minus the model's: it is the probability of the other label; swap 'labels'"),
    Case(
      hint: .outputs(.otherColumn(0, model: 2)),
      json: #"{"column":0,"id":"other-column","modelColumn":2"#,
      start: "column 1 is the model's column 3: the labels are in another order"),
    Case(
      hint: .outputs(.line(FittedLine(slope: 10, offset: -0.5, isExact: true))),
      json: #"{"exact":true,"factor":10.0,"id":"other-scale","offset":-0.5"#,
      start: "the right numbers are about the model's times 10 minus 0.5: a scaling of the output "),
    Case(
      hint: .sums(steps: 3, areExact: true), json: #"{"exact":true,"id":"other-sums","#,
      start: "the sums of the leaves differ in their last bits: another order of the trees, "),
    Case(
      hint: .sums(steps: 30, areExact: false), json: #"{"exact":false,"id":"other-sums","#,
      start: "the numbers are exponentials of sums that differ in their last bits: "),
    Case(
      hint: .features, json: #"{"id":"features","sentence":"#,
      start: "look at the order and the scaling of the features, and at the activations"),
  ]

  @Test(arguments: cases)
  func aCauseHasASentenceAndFigures(_ test: Case) {
    let json = test.hint.json { _ in nil }.compact
    #expect(test.hint.words.hasPrefix(test.start), "\(test.hint.words)")
    #expect(json.hasPrefix(test.json), "\(json)")
    #expect(json.contains(#""sentence":""#))
  }

  /// The page of the source check has a row for each cause, and for nothing else.
  @Test func everyCauseIsDocumented() throws {
    let page = try String(
      decoding: MappedFile.contents(
        of: "\(Program.repository)/specs/formats/source-check.md", limit: 1 << 20), as: UTF8.self)
    let table = try #require(
      page.split(separator: "| `id` | figures |").last?.split(separator: "\n\n").first)
    let cells = table.split(separator: "\n").compactMap { $0.split(separator: "|").first }
    let ids = cells.flatMap { $0.matches(of: /`([a-z0-9-]+)`/).map { String($0.1) } }
    #expect(ids.sorted() == SourceHint.ID.allCases.map(\.rawValue).sorted())
    #expect(Set(Self.cases.map(\.hint.id)).count == ids.count)
  }
}

extension SourceHint {
  /// The sentence where nothing can be typed.
  var words: String { sentence { _ in nil } }
}
