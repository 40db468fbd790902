import Graph
import ModelFixtures
import TestSupport
import Testing

/// Prompts, whose names and texts are told apart by their bytes.
struct PromptsTests {
  private static let file = "config_sentence_transformers.json"

  private func prompts(_ config: String, _ choice: PromptChoice? = nil) throws -> Prompts {
    let chosen = try files(BertTests.texts([Self.file: config])).choosing(choice)
    let bert = try #require(try Bert.recognise(chosen, weights: ShapesOnly()))
    return try #require(bert.prompts)
  }

  private func fault(_ config: String, _ choice: PromptChoice? = nil) -> String {
    message { _ = try prompts(config, choice) } ?? "accepted"
  }

  @Test func theDefaultIsNamedByItsBytes() {
    #expect(
      fault(#"{"prompts": {"e\u0301": "p: "}, "default_prompt_name": "\u00e9"}"#)
        .contains("'default_prompt_name' is '\u{E9}', 'prompts' has 'e\u{301}'"))
  }

  @Test func refusesTwoSpellingsOfOneName() {
    #expect(
      fault(#"{"prompts": {"e\u0301": "a: ", "\u00e9": "b: "}}"#)
        == "model/\(Self.file):1:42: two prompts are called '\u{E9}', in two Unicode spellings; "
        + "rename one")
  }

  @Test func aPromptIsChosenByTheBytesOfItsName() throws {
    let config = #"{"prompts": {"e\u0301": "p: "}}"#
    #expect(try prompts(config, .named("e\u{301}")).text == "p: ")
    #expect(fault(config, .named("\u{E9}")).hasPrefix("model: has no prompt '\u{E9}'; it has "))
  }

  @Test(arguments: ["q", "chosen"]) func aTextOfOnesOwnKeepsItsBytes(name: String) throws {
    let config = #"{"prompts": {"\#(name)": "\u00e9: "}, "default_prompt_name": "\#(name)"}"#
    let text = try prompts(config, .text("e\u{301}: ")).text
    #expect(Array(text.utf8) == Array("e\u{301}: ".utf8))
  }

  @Test func refusesAPromptOfMoreThan64KiB() throws {
    let longest = String(repeating: "a", count: 65_536)
    #expect(try prompts(#"{"prompts": {"q": "\#(longest)"}}"#, .named("q")).text == longest)
    #expect(
      fault(#"{"prompts": {"q": "\#(longest)a"}}"#)
        == "model/\(Self.file):1:19: the prompt 'q' of 'prompts' has 65537 bytes of UTF-8, "
        + "supported: at most 65536; shorten it")
    #expect(
      fault("{}", .text(longest + "a"))
        .hasPrefix(
          "model: a prompt has at most 65536 bytes of UTF-8, and the text that was given has 65537")
    )
  }

  @Test func aChoiceDoesNotHideWhatIsWrongInTheFile() {
    #expect(
      fault(#"{"prompts": null}"#, .text("p: ")).contains("'prompts' is null"))
  }
}
