import Files
import Graph
import Packaging
import StrictJSON
import WeightCompression

/// Reads how a model is compressed: in one way, or each of its encoders in its own.
struct CompressionReader {
  /// Type of the floats that the format stores.
  let floats: FloatType
  /// The one encoder that ships; nil when all do.
  let encoder: EncoderKind?
  /// The project's folder, from which files of recipes are named.
  let folder: String

  /// The key under which a search is asked for.
  static let search = "smallest"
  /// Words beside those of a scheme or recipe, for all encoders together.
  private static let shared = ["calibration", "dropOverlap", "keepTokens"]

  /// The one way, or both; nil when there is a fault, which is noted.
  ///
  /// - Parameter section: the section under `compress`.
  func read(_ section: ContractSection) -> ModelCompressionOptions? {
    if section.node(Self.search) != nil { return search(section).map { .smallest($0) } }
    let kinds = EncoderKind.allCases.map(\.rawValue)
    guard section.entries.contains(where: { kinds.contains($0.key.value) }) else {
      return options(section, Self.shared + [Self.search]).map { .one($0) }
    }
    section.allowOnly(kinds + Self.shared)
    guard let encoder else {
      let (image, text) = (options(of: .image, in: section), options(of: .text, in: section))
      return image.flatMap { image in text.map { .each(image: image, text: $0) } }
    }
    let other = encoder.other.rawValue
    if let extra = section.entries.first(where: { $0.key.value == other }) {
      section.fault(
        .badCompression, extra.key.place,
        "this is for the \(other) encoder, 'encoder' is \(encoder.rawValue)",
        hint: "remove '\(other)', or 'encoder' to ship both")
    }
    return options(of: encoder, in: section).map { .one($0) }
  }

  /// What is searched for; the words of the gate say what must pass.
  private func search(_ section: ContractSection) -> SearchOptions? {
    let others = EncoderKind.allCases.map(\.rawValue) + SchemeReader.keys + ["recipe"]
    for (key, _) in section.entries where others.contains(key.value) {
      section.fault(
        .badCompression, key.place, "'\(Self.search)' and '\(key.value)' exclude each other",
        hint: "a search chooses how every weight is stored; remove one of the two")
    }
    section.allowOnly([Self.search] + others + Self.shared)
    guard
      let group = section.section(
        Self.search, mend: "say 'smallest: {}', or give a size: 'smallest: {budget: 12MB}'")
    else { return nil }
    group.allowOnly(["budget", "verdict"])
    guard let word = group.optionalString("budget") else {
      return group.node("budget") == nil ? SearchOptions(budget: nil, floats: floats) : nil
    }
    guard let budget = Figures.byteCount(word.value), budget > 0 else {
      section.fault(
        .badValue, word.place,
        "'budget' is '\(word.value.prefix(60).asciiEscaped)', expected a size",
        hint: "a number of bytes, or one with a unit, such as 12MB or 800kB")
      return nil
    }
    return SearchOptions(budget: budget, floats: floats)
  }

  private func options(
    of encoder: EncoderKind, in section: ContractSection
  ) -> CompressionOptions? {
    let word = encoder.rawValue
    return section.section(
      word,
      mend: "say how to compress the \(word) encoder: '\(word): {scheme: int8}'; to ship the "
        + "\(encoder.other.rawValue) encoder alone, add 'encoder: \(encoder.other.rawValue)'"
    ).flatMap { group in
      guard let search = group.entries.first(where: { $0.key.value == Self.search }) else {
        return options(group, [])
      }
      group.fault(
        .badCompression, search.key.place, "'\(Self.search)' is for the whole model",
        hint:
          "say 'compress: {\(Self.search): {}}'; with 'encoder: \(word)' the other one does not ship"
      )
      return nil
    }
  }

  /// - Parameter others: keys that are read elsewhere.
  private func options(_ section: ContractSection, _ others: [String]) -> CompressionOptions? {
    section.allowOnly(SchemeReader.keys + ["recipe"] + others)
    guard section.node("recipe") == nil else { return recipeOptions(section) }
    guard
      let scheme = SchemeReader(section: section).read(
        mend: "choose a scheme such as 'int8' or 'palettize', or a recipe: 'recipe: small'")
    else { return nil }
    return checked(section, scheme.place) { () throws(CompressionError) in
      try CompressionOptions(scheme: scheme.value, floats: floats)
    }
  }

  /// The options of a recipe, by a built-in name or a path.
  private func recipeOptions(_ section: ContractSection) -> CompressionOptions? {
    let words = section.entries.filter { SchemeReader.keys.contains($0.key.value) }
    for (key, _) in words {
      section.fault(
        .badCompression, key.place, "'recipe' and '\(key.value)' exclude each other",
        hint: "a recipe's rules say it all; remove one of the two")
    }
    let word = section.path("recipe", mend: "name a recipe: 'recipe: small'")
    guard let word, let recipe = recipe(word, section), words.isEmpty else { return nil }
    return checked(section, word.place) { () throws(CompressionError) in
      try CompressionOptions(recipe: recipe, floats: floats)
    }
  }

  private func recipe(_ word: Located<String>, _ section: ContractSection) -> Recipe? {
    guard CompressionRecipes.isPath(word.value) else {
      if let recipe = BuiltInRecipe(rawValue: word.value)?.recipe { return recipe }
      let (message, hint) = CompressionRecipes.unknownName(word.value)
      section.fault(.missingRecipe, word.place, message, hint: hint)
      return nil
    }
    guard !word.value.contains(where: { $0 == "{" || $0 == "}" }) else {
      section.fault(
        .badPath, word.place, "'recipe' holds a placeholder",
        hint: "every custom model is compressed by the same recipe")
      return nil
    }
    let file = Folder.join(folder, word.value)
    guard section.log.holds(file, "'recipe'", at: word.place) else { return nil }
    guard Folder.kind(of: file) != .missing else {
      let missing = MissingPath(file)
      section.fault(
        .missingRecipe, word.place, missing.words("the recipe"), hint: missing.suggestion)
      return nil
    }
    return CompressionRecipeReader(log: section.log).read(file)
  }

  private func checked(
    _ section: ContractSection, _ place: Place,
    _ make: () throws(CompressionError) -> CompressionOptions
  ) -> CompressionOptions? {
    do throws(CompressionError) {
      return try make()
    } catch {
      section.fault(.badCompression, place, error.description)
      return nil
    }
  }
}
