import Inputs
import TestSupport
import Testing
import Weights

@testable import Calibration

/// A model that was fitted to what it is judged on proves nothing, whatever that looks like.
@Suite struct SharedInputTests {
  private static let pairs = [
    #"{"a": {"text": "w1"}, "b": {"text": "w2"}}"#, #"{"a": {"text": "w3"}, "b": {"text": "w2"}}"#,
  ]

  struct Case: CustomTestStringConvertible {
    let name: String
    let lines: [String]
    let message: String
    var testDescription: String { name }
  }

  static let same =
    "lines.jsonl: holds the inputs of the reference set 'refs.jsonl'; a model that was calibrated "
    + "with them cannot be judged by them"
  private static let end = ", and a model that was calibrated with them cannot be judged by them"

  /// The message about one text that gives the tokens of the second reference.
  private static func disguised(_ label: String) -> String {
    "lines.jsonl:2: \(label) is to the model what \"w2\" of the reference set (refs.jsonl:1) is, "
      + "their token ids are equal; 1 input is in both" + end
  }

  static let cases = [
    Case(name: "other inputs", lines: [#""w4""#, #""w5""#], message: "(nothing was thrown)"),
    Case(name: "the same file", lines: pairs, message: same),
    Case(
      name: "the same inputs in another form", lines: [#""w3""#, #""w1""#, #"{"text": "w2"}"#],
      message: same),
    Case(
      name: "one input in common", lines: [#""w4""#, #""w2""#],
      message: "lines.jsonl:2: \"w2\" is an input of the reference set (refs.jsonl:1) too; "
        + "1 input is in both" + end),
    Case(
      name: "all in common but not the whole reference set", lines: [#""w3""#, #""w2""#],
      message: "lines.jsonl:1: \"w3\" is an input of the reference set (refs.jsonl:2) too; "
        + "2 inputs are in both (lines 1 as 2, 2 as 1)" + end),
    Case(
      name: "the whole reference set and more",
      lines: [#""w4""#, #""w1""#, #""w2""#, #""w3""#],
      message: "lines.jsonl:2: \"w1\" is an input of the reference set (refs.jsonl:1) too; "
        + "3 inputs are in both (lines 2 as 1, 3 as 1, 4 as 2)" + end),
    Case(name: "upper case", lines: [#""w4""#, #""W2""#], message: disguised(#""W2""#)),
    Case(name: "a trailing space", lines: [#""w4""#, #""w2 ""#], message: disguised(#""w2 ""#)),
    Case(
      name: "a space that has no width", lines: [#""w4""#, #""w2\u200b""#],
      message: disguised("\"w2\u{200B}\"")),
    Case(
      name: "the whole reference set in upper case", lines: [#""W1""#, #""W2""#, #""W3""#],
      message: same),
    Case(
      name: "a word twice", lines: [#""w4""#, #""w2 w2""#], message: "(nothing was thrown)"),
  ]

  @Test(arguments: cases) func compares(_ testCase: Case) throws {
    let set = try calibration(testCase.lines)
    let references = try references(Self.pairs)
    let model = try TinyBert.model()
    let found = refusal {
      _ = try set.besides([references], .refused, for: model, runs: false, jobs: 2)
    }
    #expect(found == testCase.message)
  }

  /// Doubled spaces, and words behind the longest text that the model takes.
  @Test func textsThatEndUpAlikeAreOne() throws {
    let long = (0..<12).map { "w\($0)" }.joined(separator: " ")
    let references = try references([
      #"{"a": {"text": "w1 w2"}, "b": {"text": "\#(long) w7"}}"#
    ])
    let set = try calibration([#""w1  w2""#, #""w9""#, "\"\(long) w8\""])
    let (rest, dropped) = try set.besides(
      [references], .dropped, for: try TinyBert.model(), runs: false, jobs: 1)
    #expect(dropped.map(\.likeness) == [.tokens, .tokens])
    #expect(rest.inputs == [.text("w9")])
    #expect(
      CalibrationSet.droppedWords(dropped, of: "c.jsonl")
        == "c.jsonl: 2 inputs of the reference set left out of the calibration (2 of equal token "
        + "ids)")
  }

  @Test func numbersAreComparedAsNumbers() throws {
    let references = try references([#"{"a": {"values": [0, 1, 2]}, "b": {"values": [1, 1, 1]}}"#])
    let set = try calibration([#"{"values": [-0.0, 1, 2]}"#, #"{"values": [1, 1, 1.0000001]}"#])
    let (rest, dropped) = try set.besides(
      [references], .dropped, for: try denseModel(), runs: true, jobs: 1)
    #expect(dropped.map(\.likeness) == [.values])
    // The least step of a number makes another row of a table.
    #expect(rest.inputs == [.values([1, 1, 1.0000001])])
  }

  /// Other tokens that give nearly the same embedding: a token whose row is nearly another's.
  @Test func embeddingsThatAreNearlyEqualAreOne() throws {
    let model = try TinyBert.model { weights in
      let name: TensorName = "embeddings.word_embeddings.weight"
      guard let table = weights[name] else { return }
      // Row 24 is 'w20'; it becomes 'w2', row 6, but for a little.
      let row = table.values[6 * 16..<7 * 16].map { $0 * 1.001 }
      weights[name]?.values.replaceSubrange(24 * 16..<25 * 16, with: row)
    }
    let references = try references(Self.pairs)
    let set = try calibration([#""w4 w5""#, #""w20""#, #""w6""#])
    let fault = refusal {
      _ = try set.besides([references], .refused, for: model, runs: true, jobs: 1)
    }
    #expect(
      fault.hasPrefix(
        "lines.jsonl:2: \"w20\" is to the model what \"w2\" of the reference set (refs.jsonl:1) is, "
          + "the cosine of their embeddings is 0.99999"), "\(fault)")
    #expect(fault.hasSuffix("; 1 input is in both" + Self.end))
    let (rest, dropped) = try set.besides(
      [references], .dropped, for: model, runs: true, jobs: 1)
    #expect(rest.inputs == [.text("w4 w5"), .text("w6")])
    #expect(
      CalibrationSet.droppedWords(dropped, of: "c.jsonl").hasSuffix(
        "1 input of the reference set left out of the calibration (1 of nearly equal embeddings)"))
    // Nothing runs where a project is only looked at.
    #expect(
      throws: Never.self,
      performing: {
        _ = try set.besides([references], .refused, for: model, runs: false, jobs: 1)
      })
  }

  /// The shares of a set leave what the whole of it does, also of inputs that are only nearly alike.
  @Test(arguments: [true, false])
  func sharesLeaveWhatTheWholeDoes(_ runs: Bool) throws {
    let model = try TinyBert.model()
    let words = (0..<18).map { "w\($0)" }
    let whole = try references(
      stride(from: 0, to: 16, by: 2).map {
        "{\"a\": {\"text\": \"\(words[$0])\"}, \"b\": {\"text\": \"\(words[$0 + 1])\"}}"
      })
    let shares = try whole.shares(seenBy: [model], jobs: 1)
    #expect(!shares.search.inputs.isEmpty && !shares.verdict.inputs.isEmpty)
    let set = try calibration((words.suffix(8) + ["W1 ", "w2 w3", "w4  w4"]).map { "\"\($0)\"" })
    func left(_ all: [ReferenceSet]) throws -> (inputs: [Input], count: Int) {
      let (rest, dropped) = try set.besides(all, .dropped, for: model, runs: runs, jobs: 1)
      return (rest.inputs, dropped.count)
    }
    let (one, two) = (try left([whole]), try left([shares.search, shares.verdict]))
    #expect(one.inputs == two.inputs && one.count == two.count && one.count >= 7)
    func fault(_ set: CalibrationSet, _ all: [ReferenceSet]) -> String {
      refusal { _ = try set.besides(all, .refused, for: model, runs: runs, jobs: 1) }
    }
    #expect(fault(set, [whole]) == fault(set, [shares.search, shares.verdict]))
    let same = try calibration(words.prefix(16).map { "\"\($0)\"" })
    #expect(fault(same, [shares.search, shares.verdict]).contains("holds the inputs of"))
  }

  /// The file that holds them is named.
  @Test func ofTwoFilesTheOneThatHoldsSomeIsNamed() throws {
    let model = try TinyBert.model()
    let other = try ReferenceSet(
      bytes: Array(#"{"a": "w7", "b": "w8"}"#.utf8), origin: "verdict.jsonl")
    let all = [try references(Self.pairs), other]
    let set = try calibration([#""w9""#, #""w8""#])
    let fault = refusal {
      _ = try set.besides(all, .refused, for: model, runs: false, jobs: 1)
    }
    #expect(fault.contains("of the reference set (verdict.jsonl:1)"), "\(fault)")
    let nothing = refusal {
      _ = try calibration([#""w8""#]).besides(all, .dropped, for: model, runs: false, jobs: 1)
    }
    #expect(nothing.contains("'refs.jsonl' or 'verdict.jsonl'"), "\(nothing)")
  }
}
