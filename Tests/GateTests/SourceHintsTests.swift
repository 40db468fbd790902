import Files
import Formats
import Graph
import ModelFixtures
import Testing
import Weights

@testable import Gate
@testable import Inputs

/// What the pattern of rows says of the cause, on the quickstart's encoder of texts.
struct SourceHintsTests {
  private let model: Model
  private let files: SourceFiles

  init() throws {
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    model = try ModelLoader.open("/\(root)/specs/examples/quickstart/models/sentence-encoder")
    files = try SourceFiles()
  }

  /// The hints where the vectors of some texts are those of other texts.
  private func hints(_ texts: [String], as others: (String) -> String) throws -> [String] {
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
    #expect(found[0].hasPrefix("only long texts differ, those of "))
    #expect(found[0].contains("'max_seq_length'"))
  }

  @Test func onlyCapitalsMeanLowerCasing() throws {
    let cased = ["Drink Water", "Sleep Well"]
    let found = try hints(short + cased) { text in
      text.contains(where: \.isUppercase) ? "something else" : text
    }
    #expect(
      found == [
        "only texts with upper-case letters differ: texts are put into lower case on one side only "
          + "('do_lower_case')"
      ])
  }

  @Test func onlyAccentsMeanStripping() throws {
    let found = try hints(short + ["caf\u{E9} visit", "na\u{EF}ve idea"]) { text in
      text.unicodeScalars.contains { $0.value > 127 } ? "something else" : text
    }
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("only texts with accents or letters beyond ASCII differ"))
  }

  @Test func everyRowMeansAPrompt() throws {
    let found = try hints(short + ["one more"]) { "query: \($0)" }
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("every row differs: another prompt (or none), another pooling"))
  }
}
