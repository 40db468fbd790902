import StrictJSON
import TestSupport
import Testing

@testable import Tokenization

// Models and special tokens with faults.
extension TokenizerFileTests {
  static let models: [Case] = [
    Case("no unknown token", "the key 'unk_token' is missing") { $0.model["unk_token"] = nil },
    Case("unknown token not known", "unk_token '<unk>' is not in the vocabulary") {
      $0.model["unk_token"] = "<unk>"
    },
    Case("no prefix", "the key 'continuing_subword_prefix' is missing") {
      $0.model["continuing_subword_prefix"] = nil
    },
    Case(
      "negative length",
      "'max_input_chars_per_word' is the number -1, expected 0...9223372036854775807"
    ) { $0.model["max_input_chars_per_word"] = -1 },
    Case(
      "an unknown key",
      "the key 'dropout' (the number 0.1) is not understood, and it may change what "
        + "the model does"
    ) { $0.model["dropout"] = .double(0.1) },
    Case("vocabulary as a list", "'vocab' is an array of 1, expected an object") {
      $0.model["vocab"] = ["[UNK]"]
    },
    Case(
      "id beyond Int32",
      "the id of '[UNK]' is the number 2147483647, expected an integer in 0...2147483646"
    ) { $0.model["vocab"] = ["[UNK]": 2_147_483_647] },
    Case(
      "id in words",
      "the id of '[UNK]' is the string \"1\", expected an integer in 0...2147483646"
    ) { $0.model["vocab"] = ["[UNK]": "1"] },
    Case(
      "id as a float",
      "the id of '[UNK]' is the number 0.0, expected an integer in 0...2147483646"
    ) { $0.model["vocab"] = ["[UNK]": .double(0)] },
    Case("one id for two", "'[UNK]' and 'b' have the same id 1") {
      $0.model["vocab"] = ["[UNK]": 1, "b": 1]
    },
  ]

  static let specialTokens: [Case] = [
    Case("added token with another id", "added token '[MASK]' has id 5, the vocabulary gives it 4")
    {
      $0.parts["added_tokens"] = added(["id": 5])
    },
    Case("added token behind a gap", "added token '<x>' has id 40, the vocabulary gives it 34") {
      $0.parts["added_tokens"] = added(["id": 40, "content": "<x>"])
    },
    Case(
      "added token without a flag",
      "'lstrip' is null, which is not the same as no such key; give it a value or leave it out"
    ) {
      $0.parts["added_tokens"] = added(["lstrip": .null])
    },
    Case(
      "added token with an unknown flag",
      "the key 'weight' (the number 2) is not understood, and it may change what the model does"
    ) {
      $0.parts["added_tokens"] = added(["weight": 2])
    },
    Case(
      "template with types",
      "'type_id' is the number 1, which is not supported; supported: 0"
    ) {
      $0.parts["post_processor"] = template([["Sequence": ["id": "A", "type_id": 1]]])
    },
    Case("template with more keys", "unknown key 'Prompt'; known here: Sequence") {
      $0.parts["post_processor"] = template([["Sequence": ["id": "A"], "Prompt": [:]]])
    },
    Case(
      "post-processor with an unknown key",
      "the key 'mask' (null) is not understood, and it may change what the model does"
    ) {
      $0.parts["post_processor"] = [
        "type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 3], "mask": .null,
      ]
    },
    Case("added token twice", "added token '[MASK]' appears twice") {
      let token = SmallTokenizer.added("[MASK]", 4)
      $0.parts["added_tokens"] = [token, token]
    },
    Case("empty added token", "an added token is empty") {
      $0.parts["added_tokens"] = added(["content": "", "id": 34])
    },
    Case("added token of accents", "added token '\u{301}' is empty once normalised") {
      $0.parts["added_tokens"] = added(["content": "\u{301}", "id": 34, "normalized": true])
    },
    Case("added tokens as names", "'added_tokens' holds the string \"[MASK]\", expected objects") {
      $0.parts["added_tokens"] = ["[MASK]"]
    },
    Case(
      "special token with another id", "special token '[SEP]' has id 9 here and 3 in the vocabulary"
    ) {
      $0.parts["post_processor"] = [
        "type": "BertProcessing", "cls": ["[CLS]", 2], "sep": ["[SEP]", 9],
      ]
    },
    Case(
      "special token not known",
      "special token '<s>' is neither in the vocabulary nor an added token"
    ) {
      $0.parts["post_processor"] = [
        "type": "RobertaProcessing", "cls": ["<s>", 2], "sep": ["[SEP]", 3],
      ]
    },
    Case("special token alone", "'cls' is an array of 1, expected a token and its id") {
      $0.parts["post_processor"] = ["type": "BertProcessing", "cls": ["[CLS]"]]
    },
    Case("template without the text", "'single' holds Sequence A 0 times, expected once") {
      $0.parts["post_processor"] = template([])
    },
    Case("template with the text twice", "'single' holds Sequence A 2 times, expected once") {
      $0.parts["post_processor"] = template([sequence, sequence])
    },
    Case(
      "template with the second text",
      "'single' holds an object that is neither a SpecialToken nor Sequence A"
    ) { $0.parts["post_processor"] = template([["Sequence": ["id": "B", "type_id": 0]]]) },
    Case(
      "template with a token not listed", "special token '[SEP]' is not among 'special_tokens'"
    ) {
      $0.parts["post_processor"] = template([sequence, ["SpecialToken": ["id": "[SEP]"]]])
    },
    Case("template with more ids than tokens", "special token '[SEP]' has 2 ids and 1 tokens") {
      $0.parts["post_processor"] = template(
        [sequence, ["SpecialToken": ["id": "[SEP]"]]],
        ["[SEP]": ["id": "[SEP]", "ids": [3, 3], "tokens": ["[SEP]"]]])
    },
    Case(
      "template with an id in words",
      "special token '[SEP]' needs integers as ids and strings as tokens"
    ) {
      $0.parts["post_processor"] = template(
        [sequence, ["SpecialToken": ["id": "[SEP]"]]],
        ["[SEP]": ["id": "[SEP]", "ids": ["3"], "tokens": ["[SEP]"]]])
    },
  ]

}
