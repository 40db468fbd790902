import Files
import Graph
import Packaging
import ProjectFixtures
import TestSupport
import Testing
import WeightCompression

@testable import Project

// Recipes with faults.
extension CompressionRecipeReaderTests {
  static let texts = [
    Case("empty", text: "", "1:1: the file is empty"),
    Case(
      "a word", text: "small", "1:1: the recipe is a text of 5 characters, expected a group of keys"
    ),
    Case("a list", text: "- a\n", "1:1: the recipe is a list, expected a group of keys"),
    Case(
      "NUL", text: "ingot-recipe: \0\n", "1:15: a control character (byte 0) is in the text"),
    Case(
      "a project", text: "ingot: 1\nrules: []\n",
      "1:1: the recipe has no key 'ingot-recipe', so that nothing else of it is read "
        + "[start the file with 'ingot-recipe: 1', if no other file was meant]"),
    Case(
      "a key twice", text: "ingot-recipe: 1\nrules: 1\nrules: 2\n",
      "2:1: the key 'rules' appears twice"),
    Case(
      "aliases", text: "ingot-recipe: 1\nrules: [&a {match: {}, use: keep}, *a]\n",
      "2:36: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "an alias bomb",
      text: "a: &a [x,x]\n" + (0..<30).map { "b\($0): &b [*a,*a]\n" }.joined(),
      "2:9: aliases ('*name') are not supported "
        + "[write the value out; a text that starts with '*' needs quotes]"),
    Case(
      "a pattern without quotes", text: "ingot-recipe: 1\nrules: [{match: {name: *.bias}}]\n",
      "2:25: is not YAML: while scanning an alias, did not find expected alphabetic or numeric "
        + "character [write a text that starts with '*' in quotes]"),
    Case(
      "no rules", text: "ingot-recipe: 1\n",
      "1:1: the key 'rules' is missing [add a rule: '- {match: {}, use: {scheme: int8}}']"),
    Case(
      "rules as a group", text: "ingot-recipe: 1\nrules: {match: {}}\n",
      "2:8: 'rules' is a group of keys, expected a list of rules"),
    Case(
      "rules that are none", text: "ingot-recipe: 1\nrules: [int8, []]\n",
      "2:9: rule 1 is 'int8', expected a group of keys",
      "2:15: rule 2 is a list, expected a group of keys"),
  ]

  static let recipes = [
    Case("sound", "name: ours", "name: ours"),
    Case("without a name", "name: ours\n", ""),
    Case("what is left is kept", "  - match: {}\n    use: keep\n", "otherwise: keep\n"),
    Case("one pattern", #"["*.query.weight", "*.key.weight"]"#, #""*weight""#),
    Case("patterns in a row", #"["*.query.weight", "*.key.weight"]"#, #"["*a*", "?b", "c-*d"]"#),
    Case("roles as listings print them", "role: token-table", "role: [token table, matrix]"),
    Case("a scalar", #"shape: ["*", 384]"#, "shape: []"),
    Case("none as a scheme", "use: keep", "use: {scheme: none}"),
    Case(
      "another version", "ingot-recipe: 1", "ingot-recipe: 2",
      "1:15: 'ingot-recipe' is '2', this version reads recipes of version 1"),
    Case(
      "a name with a path", "name: ours", "name: ../ours",
      "2:7: '../ours' cannot name a recipe "
        + "[at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _]"),
    Case(
      "the name of a built-in recipe", "name: ours", "name: small",
      "2:7: 'small' names a built-in recipe, which has other rules [choose another name]"),
    Case(
      "unknown key", "rules:", "rule: 1\nrules:", "3:1: unknown key 'rule' [did you mean 'rules'?]"
    ),
    Case(
      "another end", "rules:", "otherwise: int8\nrules:",
      "3:12: 'otherwise' is 'int8', expected keep "
        + "[for a scheme, end with a rule that matches everything: 'match: {}']"),
    Case(
      "a rule without a match", "match: {}\n    use", "use",
      "13:5: the key 'match' is missing "
        + "[say which weights: 'match: {role: matrix}'; 'match: {}' is every one]"),
    Case(
      "an empty match", "match: {}", "match:",
      "13:11: 'match' is empty "
        + "[say which weights: 'match: {role: matrix}'; 'match: {}' is every one]"),
    Case(
      "a match in words", "match: {}", "match: everything",
      "13:12: 'match' is 'everything', expected a group of keys"),
    Case(
      "a rule without a use", "    use: keep\n", "",
      "13:5: the key 'use' is missing "
        + "[say what becomes of the weights: 'use: {scheme: int8}' or 'use: keep']"),
    Case(
      "a use in words", "use: keep", "use: int8",
      "14:10: 'use' is 'int8', expected keep or a group of keys [such as {scheme: int8}]"),
    Case(
      "misspelt keys", "use: keep", "usage: keep\n    use: {scheem: int8}",
      "14:5: unknown key 'usage' [known here: match, use, fallback, optional]",
      "15:10: the key 'scheme' is missing [choose a scheme such as 'int8', or say keep]",
      "15:11: unknown key 'scheem' [did you mean 'scheme'?]"),
    Case(
      "a key of a match", "role: matrix", "roles: matrix",
      "4:55: unknown key 'roles' [did you mean 'role'?]"),
    Case(
      "an unknown role", "role: token-table", "role: [token-tabel, kernel]",
      "9:20: no role is called 'token-tabel' [did you mean 'token-table'?]",
      "9:33: no role is called 'kernel' "
        + "[known here: matrix, token-table, position-table, bias, norm, statistic, threshold, number]"
    ),
    Case(
      "a role that always stays uncompressed", "role: token-table", "role: [token-table, bias]",
      "9:33: weights of the role bias always stay uncompressed, no scheme is for them "
        + "[remove the role; what always stays uncompressed needs no rule]"),
    Case("a role that is kept", "match: {}", "match: {role: [bias, norm]}"),
    Case(
      "an empty list of names", #"["*.query.weight", "*.key.weight"]"#, "[]",
      "4:19: 'name' is an empty list"),
    Case(
      "an empty name among others", #"["*.query.weight", "*.key.weight"]"#, #"[a, ""]"#,
      "4:23: 'name' holds empty, expected a text, or a list of texts"),
    Case(
      "a name as a group", #"["*.query.weight", "*.key.weight"]"#, "{is: a}",
      "4:19: 'name' is a group of keys, expected a text, or a list of texts"),
    Case(
      "a long pattern", #"["*.query.weight", "*.key.weight"]"#,
      String(repeating: "x", count: 1025), "4:19: 'name' has 1025 bytes, a pattern has at most 1024"
    ),
    Case(
      "a shape in words", #"shape: ["*", 384]"#, "shape: square",
      "4:76: 'shape' is 'square', expected a list with a length for each axis "
        + "[such as [\"*\", 384]; '*' is any length]"),
    Case(
      "lengths that are none", #"shape: ["*", 384]"#, #"shape: [-1, "> 2 < 3", [1]]"#,
      "4:77: 'shape' holds '-1', expected a number, '*', or a comparison such as '>= 2048'",
      "4:81: 'shape' holds '> 2 < 3', expected a number, '*', or a comparison such as '>= 2048'",
      "4:92: 'shape' holds a list, expected a number, '*', or a comparison such as '>= 2048'"),
    Case(
      "elements in words", #"elements: ">= 2048""#, "elements: many",
      "9:42: 'elements' is 'many', expected a number, '*', or a comparison such as '>= 2048'"),
    Case(
      "elements of none", #"elements: ">= 2048""#, "elements: ",
      "9:42: 'elements' is empty, expected a number, '*', or a comparison such as '>= 2048'"),
    Case(
      "words that do not go together", "{scheme: int4, groupSize: 64}",
      "{scheme: int4, width: 2}", "10:19: int4 takes no width; for a width use palettize"),
    Case(
      "faults of fallbacks", "{scheme: int8}\n", "{scheme: palettize}\n      - {bits: 4}\n",
      "8:18: palettize needs a number of bits: choose 1, 2, 3, 4, 6 or 8",
      "9:9: the key 'scheme' is missing [choose a scheme such as 'int8', or say keep]"),
    Case(
      "a fallback without a list", "fallback: [keep]", "fallback: keep",
      "11:15: 'fallback' is 'keep', expected a list [such as [{scheme: int8}], or [keep]]"),
    Case(
      "no fallbacks", "fallback: [keep]", "fallback: []",
      "11:15: 'fallback' is an empty list, expected a list [such as [{scheme: int8}], or [keep]]"),
    Case(
      "a fallback behind one that always fits", "fallback: [keep]",
      "fallback: [{scheme: int8, granularity: per-tensor}, keep, {scheme: unique}, keep]",
      "11:57: 'keep' is never taken: 'int8 per tensor' before it fits every weight",
      "11:63: 'unique values' is never taken: 'int8 per tensor' before it fits every weight",
      "11:81: 'keep' appears twice in this rule"),
    Case(
      "a fallback behind keep", "use: keep", "use: keep\n    fallback: [{scheme: int8}]",
      "15:16: 'int8 per channel' is never taken: 'keep' before it fits every weight"),
    Case(
      "the same again", "groupSize: 4}", "groupSize: 16}",
      "7:9: 'palette 4 bits in groups of 16' appears twice in this rule"),
    Case(
      "optional in words", "optional: true", "optional: maybe",
      "12:15: 'optional' is 'maybe', expected true or false"),
    Case(
      "faults all over",
      text: """
        ingot-recipe: one
        name: "a b"
        rules:
          - match: {role: kernel}
            use: {scheme: int3}
          - use: keep

        """,
      "1:15: 'ingot-recipe' is 'one', this version reads recipes of version 1",
      "2:7: 'a b' cannot name a recipe "
        + "[at most 64 of A-Z a-z 0-9 . _ -, starting with a letter, a digit or _]",
      "4:19: no role is called 'kernel' "
        + "[known here: matrix, token-table, position-table, bias, norm, statistic, threshold, number]",
      "5:19: unknown scheme 'int3'; choose int8, uint8, int4, uint4, float16, palettize, unique or none",
      "6:5: the key 'match' is missing "
        + "[say which weights: 'match: {role: matrix}'; 'match: {}' is every one]"),
  ]

}
