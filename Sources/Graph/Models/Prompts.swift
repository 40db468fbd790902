import StrictJSON

/// The texts that a model's makers put before others, and the one that is used.
package struct Prompts: Hashable, Sendable {
  /// A text with its name, in the order of the file.
  package struct Prompt: Hashable, Sendable {
    package let name: String
    package let text: String

    /// By bytes: another spelling of the same characters can be other tokens.
    package static func == (left: Prompt, right: Prompt) -> Bool {
      ExactString(left.name) == ExactString(right.name)
        && ExactString(left.text) == ExactString(right.text)
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(ExactString(name))
      hasher.combine(ExactString(text))
    }
  }

  package let all: [Prompt]
  /// The name of the prompt before every text; nil for no prompt.
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

  /// The name of the user's own text among the prompts.
  package static let ownName = "chosen"

  /// Names that the library knows in every model, with an empty text if the file has none.
  static let builtIn = ["query", "document"]

  /// Most bytes of a prompt: it becomes tokens anew with every text.
  static let longestText = 64 << 10

  /// Reads `prompts` and `default_prompt_name` of `config_sentence_transformers.json`.
  init(_ config: JSONObject) throws(JSONError) {
    let found: [Prompt] =
      config["prompts"] == nil ? [] : try Self.listed(config.object("prompts"))
    all = found
    guard config.has("default_prompt_name") else {
      chosen = nil
      return
    }
    let name = try config.string("default_prompt_name")
    let isKnown = (Self.builtIn + found.map(\.name)).contains {
      ExactString($0) == ExactString(name)
    }
    guard isKnown else {
      let known = found.map { quoted($0.name) }.joined(separator: ", ")
      throw try config.error(
        "'default_prompt_name' is \(quoted(name)), 'prompts' has "
          + (known.isEmpty ? "none" : known), at: config.required("default_prompt_name").position)
    }
    chosen = name
  }

  /// The prompts of the key `prompts`; null is an empty text.
  private static func listed(_ prompts: JSONObject) throws(JSONError) -> [Prompt] {
    var found: [Prompt] = []
    // Names differ by their bytes, but dictionaries compare Unicode text.
    var keys: Set<String> = []
    for (name, node) in prompts.members {
      guard keys.insert(name).inserted else {
        throw prompts.error(
          "two prompts are called \(quoted(name)), in two Unicode spellings; rename one",
          at: node.position)
      }
      let text = node.isNull ? "" : try prompts.string(name)
      guard text.utf8.count <= longestText else {
        throw prompts.error(
          "the prompt \(quoted(name)) of 'prompts' has \(text.utf8.count) bytes of UTF-8, "
            + "supported: at most \(longestText); shorten it", at: node.position)
      }
      found.append(Prompt(name: name, text: text))
    }
    return found
  }

  /// The prompt of a name, compared by its bytes.
  func prompt(named name: String) -> Prompt? {
    all.first { ExactString($0.name) == ExactString(name) }
  }

  /// The text before every text; empty without a prompt.
  package var text: String { chosen.flatMap { prompt(named: $0) }?.text ?? "" }

  /// Prompts with a text, which a person can choose from.
  package var choices: [Prompt] { all.filter { !$0.text.isEmpty } }
}
