import Packaging
import WeightCompression

/// Reads one rule of a compression recipe.
struct RecipeRuleReader {
  let section: ContractSection

  /// Longest pattern of names, in bytes.
  static let patternLimit = 1024
  /// Words for a number, for messages.
  private static let counts = "expected a number, '*', or a comparison such as '>= 2048'"

  /// The rule; nil when there is a fault, which is noted.
  func read() -> RecipeRule? {
    section.allowOnly(["match", "use", "fallback", "optional"])
    let before = section.log.faults.errorCount
    let match = section.section(
      "match", mend: "say which weights: 'match: {role: matrix}'; 'match: {}' is every one")
    let roles = match.map(self.roles) ?? []
    let condition = match.map { self.match($0, roles.map(\.value)) }
    let choices = self.choices()
    checkOrder(of: choices)
    let isOptional = section.optionalBool("optional")?.value ?? false
    checkRoles(roles, against: choices)
    guard let condition, let first = choices.first, section.log.faults.errorCount == before else {
      return nil
    }
    return RecipeRule(
      condition, first.value, fallbacks: choices.dropFirst().map(\.value), isOptional: isOptional)
  }

  // MARK: - Matching

  private func match(_ section: ContractSection, _ roles: [RecipeRole]) -> RecipeRule.Match {
    section.allowOnly(["name", "role", "shape", "elements"])
    let names = section.optionalTexts("name") ?? []
    for name in names where name.value.utf8.count > Self.patternLimit {
      section.fault(
        .badValue, name.place,
        "'name' has \(name.value.utf8.count) bytes, a pattern has at most \(Self.patternLimit)")
    }
    return RecipeRule.Match(
      names: names.map { NameGlob($0.value) }, roles: roles, shape: shape(section),
      elements: section.node("elements").flatMap { count($0, "'elements' is", section) } ?? .any)
  }

  private func roles(_ section: ContractSection) -> [Located<RecipeRole>] {
    (section.optionalTexts("role") ?? []).compactMap { word in
      if let role = RecipeRole(word: word.value) { return Located(value: role, place: word.place) }
      section.fault(
        .badValue, word.place, "no role is called '\(word.value.prefix(60).asciiEscaped)'",
        hint: Suggestion.hint(for: word.value, among: RecipeRole.allCases.map(\.word)))
      return nil
    }
  }

  private func shape(_ section: ContractSection) -> [CountRange]? {
    guard let node = section.node("shape") else { return nil }
    guard case .sequence(let lengths) = node.content else {
      section.fault(
        .wrongType, node.place,
        "'shape' is \(node.kind), expected a list with a length for each axis",
        hint: "such as [\"*\", 384]; '*' is any length")
      return nil
    }
    return lengths.compactMap { count($0, "'shape' holds", section) }
  }

  private func count(
    _ node: YAMLNode, _ subject: String, _ section: ContractSection
  ) -> CountRange? {
    if let range = node.string.flatMap({ CountRange($0) }) { return range }
    section.fault(.badValue, node.place, "\(subject) \(node.kind), \(Self.counts)")
    return nil
  }

  // MARK: - Choices

  /// The first choice and the fallbacks.
  private func choices() -> [Located<Scheme?>] {
    let first = section.required(
      "use", mend: "say what becomes of the weights: 'use: {scheme: int8}' or 'use: keep'"
    ).flatMap { choice($0, "'use'") }
    guard let node = section.node("fallback") else { return [first].compactMap(\.self) }
    guard case .sequence(let nodes) = node.content, !nodes.isEmpty else {
      let kind = if case .sequence = node.content { "an empty list" } else { node.kind }
      section.fault(
        .wrongType, node.place, "'fallback' is \(kind), expected a list",
        hint: "such as [{scheme: int8}], or [keep]")
      return []
    }
    let others = nodes.map { choice($0, "a fallback") }
    guard let first, others.allSatisfy({ $0 != nil }) else { return [] }
    return [first] + others.compactMap(\.self)
  }

  private func choice(_ node: YAMLNode, _ name: String) -> Located<Scheme?>? {
    if node.string == "keep" { return Located(value: nil, place: node.place) }
    guard case .mapping = node.content else {
      section.fault(
        .wrongType, node.place, "\(name) is \(node.kind), expected keep or a group of keys",
        hint: "such as {scheme: int8}")
      return nil
    }
    guard let words = ContractSection(node, name: name, log: section.log) else { return nil }
    words.allowOnly(SchemeReader.keys)
    return SchemeReader(section: words).read(mend: "choose a scheme such as 'int8', or say keep")
      .map { Located(value: $0.value, place: node.place) }
  }

  /// Notes choices that are never taken.
  private func checkOrder(of choices: [Located<Scheme?>]) {
    for (index, choice) in choices.enumerated().dropFirst() {
      let before = choices[..<index]
      if before.contains(where: { $0.value == choice.value }) {
        section.fault(.badRecipe, choice.place, "'\(choice.value.word)' appears twice in this rule")
      } else if let last = before.first(where: { $0.value?.fitsEveryWeight ?? true }) {
        section.fault(
          .badRecipe, choice.place,
          "'\(choice.value.word)' is never taken: '\(last.value.word)' before it fits every weight")
      }
    }
  }

  private func checkRoles(_ roles: [Located<RecipeRole>], against choices: [Located<Scheme?>]) {
    guard choices.contains(where: { $0.value != nil }) else { return }
    for role in roles where !role.value.isCompressible {
      section.fault(
        .badRecipe, role.place,
        "weights of the role \(role.value.rawValue) always stay uncompressed, no scheme is for them",
        hint: "remove the role; what always stays uncompressed needs no rule")
    }
  }
}

extension Scheme? {
  /// As a recipe's messages call it.
  fileprivate var word: String { self?.label ?? "keep" }
}
