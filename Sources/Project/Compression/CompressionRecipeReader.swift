import Files
import Packaging
import WeightCompression

/// Reads files of compression recipes, noting every fault at once; see `specs/formats/recipe.md`.
struct CompressionRecipeReader {
  let log: ContractSection.Log

  /// Version of the format.
  static let version = 1
  private static let keys = ["ingot-recipe", "name", "rules", "otherwise"]

  /// The recipe in a file; nil when there is a fault, which is noted once however often the file is
  /// asked for.
  func read(_ file: String) -> Recipe? {
    if let known = log.recipes[file] { return known }
    let before = log.faults.errorCount
    let recipe = section(of: file).flatMap(self.recipe)
    let sound = log.faults.errorCount == before ? recipe : nil
    log.recipes[file] = .some(sound)
    return sound
  }

  private func section(of file: String) -> ContractSection? {
    do {
      let bytes = try MappedFile.contents(of: file, limit: YAMLReader.sizeLimit)
      return YAMLReader.read(bytes, file: file, naming: Self.keys[0], &log.faults).flatMap {
        ContractSection(file: $0, name: "the recipe", keys: Self.keys, log: log)
      }
    } catch {
      log.faults.add(unreadable: file, error)
      return nil
    }
  }

  private func recipe(_ root: ContractSection) -> Recipe? {
    checkVersion(root)
    let name = self.name(root)
    let keepsOthers = self.keepsOthers(root)
    guard
      let node = root.required("rules", mend: "add a rule: '- {match: {}, use: {scheme: int8}}'")
    else { return nil }
    guard case .sequence(let nodes) = node.content, !nodes.isEmpty else {
      let kind = if case .sequence = node.content { "an empty list" } else { node.kind }
      root.fault(.wrongType, node.place, "'rules' is \(kind), expected a list of rules")
      return nil
    }
    let rules = nodes.enumerated().compactMap { index, node in
      ContractSection(node, name: "rule \(index + 1)", log: log).flatMap {
        RecipeRuleReader(section: $0).read()
      }
    }
    let recipe = Recipe(
      name: name?.value ?? Recipe.defaultName, rules: rules, keepsOthers: keepsOthers)
    checkName(name, of: recipe, root)
    return recipe
  }

  private func checkVersion(_ root: ContractSection) {
    let mend = "start the file with 'ingot-recipe: \(Self.version)'"
    guard let node = root.required("ingot-recipe", mend: mend) else { return }
    guard node.integer == Self.version else {
      root.fault(
        .unknownContract, node.place,
        "'ingot-recipe' is \(node.kind), this version reads recipes of version \(Self.version)")
      return
    }
  }

  private func name(_ root: ContractSection) -> Located<String>? {
    guard let name = root.optionalString("name") else { return nil }
    guard Identifiers.isModelName(name.value) else {
      root.fault(
        .badValue, name.place, "'\(name.value.prefix(80).asciiEscaped)' cannot name a recipe",
        hint: "at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _")
      return nil
    }
    return name
  }

  /// A recipe with a built-in's name must be that one.
  private func checkName(_ name: Located<String>?, of recipe: Recipe, _ root: ContractSection) {
    guard let name, let own = BuiltInRecipe(rawValue: name.value)?.recipe, own != recipe else {
      return
    }
    root.fault(
      .badRecipe, name.place, "'\(name.value)' names a built-in recipe, which has other rules",
      hint: "choose another name")
  }

  private func keepsOthers(_ root: ContractSection) -> Bool {
    guard let word = root.optionalString("otherwise") else { return false }
    if word.value != "keep" {
      root.fault(
        .badValue, word.place,
        "'otherwise' is '\(word.value.prefix(60).asciiEscaped)', expected keep",
        hint: "for a scheme, end with a rule that matches everything: 'match: {}'")
    }
    return true
  }
}
