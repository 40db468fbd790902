import StrictJSON

/// The texts that a model's makers put before others, and the one that is used.
package struct Prompts: Hashable, Sendable {
  /// A text with its name, in the order of the file.
  package struct Prompt: Hashable, Sendable {
    package let name: String
    package let text: String
  }

  package let all: [Prompt]
  /// The name of the one that goes before every text; nil where none does.
  package let chosen: String?

  /// No prompts.
  package init() {
    all = []
    chosen = nil
  }

  init(all: [Prompt], chosen: String?) {
    self.all = all
    self.chosen = chosen
  }

  /// Names that the library knows in every model, with an empty text where the file has none.
  static let builtIn = ["query", "document"]

  /// Reads `prompts` and `default_prompt_name` of `config_sentence_transformers.json`.
  init(_ config: JSONObject) throws(JSONError) {
    var found: [Prompt] = []
    if config.has("prompts") {
      let prompts = try config.object("prompts")
      for (name, node) in prompts.members {
        found.append(
          Prompt(name: name, text: node.isNull ? "" : try prompts.string(name)))
      }
    }
    all = found
    guard config.has("default_prompt_name") else {
      chosen = nil
      return
    }
    let name = try config.string("default_prompt_name")
    guard Self.builtIn.contains(name) || found.contains(where: { $0.name == name }) else {
      let known = found.map { quoted($0.name) }.joined(separator: ", ")
      throw try config.error(
        "'default_prompt_name' is \(quoted(name)), 'prompts' has "
          + (known.isEmpty ? "none" : known), at: config.required("default_prompt_name").position)
    }
    chosen = name
  }

  /// What goes before every text; empty where nothing does.
  package var text: String { all.first { $0.name == chosen }?.text ?? "" }

  /// Prompts with a text, which is what a person can choose among.
  package var choices: [Prompt] { all.filter { !$0.text.isEmpty } }
}
