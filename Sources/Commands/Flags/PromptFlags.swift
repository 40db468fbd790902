import ArgumentParser
import Graph

/// Which prompt goes before every text.
struct PromptFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The prompt that goes before every text, by its name in the model.",
      discussion: """
        Many encoders want other prompts for queries and for documents; inspect names them. Without \
        the option the model's default is taken, if it has one. What is written carries the prompt \
        that it was proven with.
        """,
      valueName: "name"))
  var prompt: String?

  @Option(
    help: ArgumentHelp(
      "A text that goes before every text; empty for none.", valueName: "text"))
  var promptText: String?

  /// The requested prompt; nil if the model decides.
  var choice: PromptChoice? { prompt.map(PromptChoice.named) ?? promptText.map(PromptChoice.text) }

  func validate() throws {
    guard prompt != nil, promptText != nil else { return }
    throw ValidationError("--prompt and --prompt-text are two ways to say one thing; give one")
  }
}
