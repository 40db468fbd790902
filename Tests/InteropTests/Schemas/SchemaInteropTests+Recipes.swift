/// Recipes that a schema and the reader judge.
extension SchemaInteropTests {
  static let recipe = """
    ingot-recipe: 1
    name: ours
    rules:
      - match: {name: ["*.query.weight", "a?"], role: matrix, shape: ["*", 384, "> 2"]}
        use: {scheme: palettize, bits: 4, granularity: per-group}
        fallback: [{scheme: palettize, bits: 4}]
      - match: {role: [token-table, matrix], elements: ">= 2048 <9999"}
        use: {scheme: int4, groupSize: 64}
        optional: true
      - match: {}
        use: keep
    otherwise: keep

    """

  /// A recipe in which some text is replaced.
  private static func rules(
    _ name: String, _ verdict: Case.Verdict, _ old: String, _ new: String
  ) -> Case {
    precondition(recipe.contains(old), "\(old) stands in the recipe")
    return Case(name, verdict, recipe.replacing(old, with: new))
  }

  static let recipes = [
    Case("sound", .sound, recipe),
    rules(
      "a fallback behind one that always fits", .beyondSchemas("choices are compared"),
      "[{scheme: palettize, bits: 4}]", "[{scheme: palettize, bits: 4}, keep]"),
    Case("not a group", .faulty, "- 1\n"),
    rules("another version", .faulty, "ingot-recipe: 1", "ingot-recipe: 2"),
    rules("no version", .faulty, "ingot-recipe: 1\n", ""),
    rules("a name with a path", .faulty, "name: ours", "name: ../ours"),
    rules("unknown key", .faulty, "otherwise", "else"),
    rules("another end", .faulty, "otherwise: keep", "otherwise: int8"),
    rules("a rule without a match", .faulty, "match: {}\n    use", "use"),
    rules("a rule without a use", .faulty, "    use: keep\n", ""),
    rules("unknown key of a rule", .faulty, "optional", "maybe"),
    rules("unknown key of a match", .faulty, "elements", "count"),
    rules("unknown role", .faulty, "token-table", "table"),
    rules("an empty list of roles", .faulty, "[token-table, matrix]", "[]"),
    rules("an empty name", .faulty, "\"a?\"]", "\"\"]"),
    rules("a shape in words", .faulty, "[\"*\", 384, \"> 2\"]", "square"),
    rules("a negative length", .faulty, "384", "-384"),
    rules("a number in words", .faulty, ">= 2048 <9999", "many"),
    rules("a use in words", .faulty, "use: keep", "use: int8"),
    rules("a scheme that is none", .faulty, "{scheme: int4, groupSize: 64}", "{scheme: int3}"),
    rules(
      "a table in two parts", .sound, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 4000, first: {scheme: palettize, bits: 6}, rest: {scheme: "
        + "int8}}"),
    rules(
      "parts without rows", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, first: {scheme: int8}, rest: {scheme: int8}}"),
    rules(
      "rows of none", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 0, first: {scheme: int8}, rest: {scheme: int8}}"),
    rules(
      "one part", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 8, first: {scheme: int8}}"),
    rules(
      "a part as trained", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 8, first: {scheme: int8}, rest: {scheme: none}}"),
    rules(
      "a part that is kept", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 8, first: {scheme: int8}, rest: keep}"),
    rules(
      "parts of a part", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 8, first: {scheme: split, rows: 4, first: {scheme: int8}, "
        + "rest: {scheme: int8}}, rest: {scheme: int8}}"),
    rules(
      "a part with a fault", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 8, first: {scheme: int8, bits: 4}, rest: {scheme: int8}}"),
    rules(
      "unknown key of a part", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, rows: 8, first: {scheme: int8, bit: 8}, rest: {scheme: int8}}"),
    rules(
      "bits of all parts", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: split, bits: 4, rows: 8, first: {scheme: int8}, rest: {scheme: int8}}"),
    rules(
      "rows of all", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: int8, rows: 8}"),
    rules(
      "a part of all", .faulty, "{scheme: int4, groupSize: 64}",
      "{scheme: int8, rest: {scheme: int8}}"),
    rules("a fallback without a list", .faulty, "[{scheme: palettize, bits: 4}]", "keep"),
    rules("no fallbacks", .faulty, "[{scheme: palettize, bits: 4}]", "[]"),
    rules("optional in words", .faulty, "optional: true", "optional: maybe"),
    rules(
      "an empty range", .beyondSchemas("two numbers are compared"), ">= 2048 <9999",
      ">= 2048 <2048"),
    rules(
      "a scheme for biases", .beyondSchemas("roles and schemes are compared"),
      "[token-table, matrix]", "[token-table, bias]"),
    rules(
      "the name of a built-in recipe", .beyondSchemas("rules are compared"), "name: ours",
      "name: small"),
  ]
}
