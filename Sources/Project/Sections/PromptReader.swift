import Graph

/// Reads which prompt goes before every text of a model.
struct PromptReader {
  let section: ContractSection

  /// One of the model's prompts by its name, or a text of one's own as `{text: "query: "}`; nil
  /// where the model's default is taken, or, with a fault, where something else is written.
  func read() -> Located<PromptChoice>? {
    guard let node = section.node("prompt") else { return nil }
    guard case .mapping = node.content else { return name(node) }
    guard let group = ContractSection(node, name: "'prompt'", log: section.log) else { return nil }
    group.allowOnly(["text"])
    guard group.node("text") != nil else {
      section.fault(.missingKey, node.place, "'prompt' has no 'text'", hint: Self.mend)
      return nil
    }
    return group.optionalString("text").map { Located(value: .text($0.value), place: node.place) }
  }

  private func name(_ node: YAMLNode) -> Located<PromptChoice>? {
    guard let name = node.string, !name.isEmpty else {
      section.fault(
        .wrongType, node.place,
        "'prompt' is \(node.isEmpty ? "empty" : node.kind), expected a name",
        hint: Self.mend)
      return nil
    }
    return Located(value: .named(name), place: node.place)
  }

  private static let mend =
    "name one of the model's prompts, 'prompt: query', or give a text: 'prompt: {text: \"query: \"}'"
}
