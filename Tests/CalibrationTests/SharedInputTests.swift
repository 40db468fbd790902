import Testing

@testable import Calibration

@Suite struct SharedInputTests {
  private static let pairs = [
    #"{"a": {"text": "one"}, "b": {"text": "two"}}"#,
    #"{"a": {"text": "three"}, "b": {"text": "two"}}"#,
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
  static let cases = [
    Case(name: "other inputs", lines: [#""four""#, #""five""#], message: "(nothing was thrown)"),
    Case(name: "the same file", lines: pairs, message: same),
    Case(
      name: "the same inputs in another form",
      lines: [#""three""#, #""one""#, #"{"text": "two"}"#], message: same),
    Case(
      name: "one input in common", lines: [#""four""#, #""two""#],
      message: "lines.jsonl:2: \"two\" is an input of the reference set (refs.jsonl:1) too; "
        + "1 input is in both, and a model that was calibrated with them cannot be judged by them"),
    Case(
      name: "all in common but not the whole reference set", lines: [#""three""#, #""two""#],
      message: "lines.jsonl:1: \"three\" is an input of the reference set (refs.jsonl:2) too; "
        + "2 inputs are in both, and a model that was calibrated with them cannot be judged by them"
    ),
    Case(
      name: "the whole reference set and more",
      lines: [#""four""#, #""one""#, #""two""#, #""three""#],
      message: "lines.jsonl:2: \"one\" is an input of the reference set (refs.jsonl:1) too; "
        + "3 inputs are in both, and a model that was calibrated with them cannot be judged by them"
    ),
  ]

  @Test(arguments: cases) func compares(_ testCase: Case) throws {
    let set = try calibration(testCase.lines)
    let references = try references(Self.pairs)
    #expect(message { try set.refuse(sharedWith: references) } == testCase.message)
  }
}
