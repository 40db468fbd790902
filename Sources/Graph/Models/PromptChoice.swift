import StrictJSON

/// The prompt before every text, if not the model's own default.
package enum PromptChoice: Hashable, Sendable {
  /// One of the model's prompts.
  case named(String)
  /// The user's own text; empty for no prompt.
  case text(String)
}

extension ModelFiles {
  /// The files with this prompt as the model's default: everything written or proven from them
  /// carries it.
  ///
  /// - Throws: if the model has no prompt of the name.
  package func choosing(_ choice: PromptChoice?) throws -> ModelFiles {
    guard let choice else { return self }
    let config = try object(SentencePrompts.file)
    let prompts = try config.map(Prompts.init) ?? Prompts()
    let wanted = try prompts.choosing(choice, origin: origin)
    guard wanted != prompts else { return self }
    var members: [String: JSONValue] = [:]
    for (key, node) in config?.members ?? [] { members[key] = node.value }
    members["prompts"] = .object(
      Dictionary(wanted.all.map { ($0.name, .string($0.text)) }) { first, _ in first })
    members["default_prompt_name"] = wanted.chosen.map(JSONValue.string) ?? .null
    return replacing(SentencePrompts.file, by: Array(JSONValue.object(members).pretty.utf8))
  }
}

extension Prompts {
  /// The same prompts with another default.
  fileprivate func choosing(
    _ choice: PromptChoice, origin: String
  ) throws(ModelError) -> Prompts {
    switch choice {
    case .named(let name):
      guard prompt(named: name) != nil else {
        throw .noPrompt(origin: origin, requested: name, found: all.map(\.name))
      }
      return Prompts(all: all, chosen: name)
    case .text(""):
      return text.isEmpty ? self : Prompts(all: all, chosen: nil)
    case .text(let text):
      guard text.utf8.count <= Self.longestText else {
        throw .promptNotTaken(
          origin: origin,
          reason: "a prompt has at most \(Self.longestText) bytes of UTF-8, and the text that was "
            + "given has \(text.utf8.count)")
      }
      if let known = all.first(where: { ExactString($0.text) == ExactString(text) }) {
        return Prompts(all: all, chosen: known.name)
      }
      let others = all.filter { $0.name != Self.ownName }
      return Prompts(all: others + [Prompt(name: Self.ownName, text: text)], chosen: Self.ownName)
    }
  }
}
