import Graph
import StrictJSON
import Tokenization

/// Describes a model's prompts.
enum PromptWords {
  /// Lines about the prompt that is used and those to choose among; empty without any.
  static func text(_ architecture: any Architecture) -> String {
    let used = architecture.preparation.prompt
    let choices = architecture.prompts?.choices ?? []
    guard !used.isEmpty || !choices.isEmpty else { return "" }
    var lines = [
      "prompt: " + (used.isEmpty ? "none by default" : "\(quote(used)) before every text")
    ]
    lines += choices.map {
      "  --prompt \(ShellWord.quoted($0.name)): \(quote($0.text))".printable(keepsLines: false)
    }
    return "\n" + lines.joined(separator: "\n")
  }

  /// `null` for a model without prompts.
  static func json(_ architecture: (any Architecture)?) -> JSONValue {
    guard let prompts = architecture?.prompts else { return .null }
    let texts = prompts.choices.map { ($0.name, JSONValue.string($0.text)) }
    return [
      "all": .object(Dictionary(texts) { first, _ in first }),
      "default": prompts.chosen.map(JSONValue.string) ?? .null, "text": .string(prompts.text),
    ]
  }

  /// A hint where texts want one of several prompts and none is used.
  static func hint(_ architecture: any Architecture) -> String? {
    guard architecture.preparation.prompt.isEmpty, let prompts = architecture.prompts,
      !prompts.choices.isEmpty
    else { return nil }
    let names = prompts.choices.map { "--prompt \(ShellWord.quoted($0.name)) (\(quote($0.text)))" }
    return "the model has prompts and no default, so none is used; choose with "
      + names.joined(separator: " or ")
  }

  /// A prompt in quotes, its spaces and control characters to be seen.
  static func quote(_ text: String) -> String { JSONValue.string(text).compact }
}
