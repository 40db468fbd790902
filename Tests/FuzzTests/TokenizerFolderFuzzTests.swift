import StrictJSON
import Testing

@testable import Tokenization

/// The files beside `tokenizer.json`, each mutated while the others are sound.
extension FuzzTests {
  private static let flags =
    #""normalized":false,"single_word":false,"special":true"#

  /// Two forms of each file; in both the tokens have the flags of `tokenizer.json`.
  private static let folderFiles: [TokenizerFiles.Name: [String]] = [
    .configuration: [
      #"{"tokenizer_class":"BertTokenizer","do_lower_case":true,"strip_accents":null,"#
        + #""tokenize_chinese_chars":true,"model_max_length":32,"truncation_side":"left","#
        + #""padding_side":"right","mask_token":"[MASK]","unk_token":"[UNK]","#
        + #""added_tokens_decoder":{"2":{"content":"[CLS]","lstrip":false,"rstrip":false,\#(flags)},"#
        + #""4":{"content":"[MASK]","lstrip":true,"rstrip":true,\#(flags)}},"#
        + #""additional_special_tokens":["<a>"],"split_special_tokens":false,"#
        + #""model_input_names":["input_ids","attention_mask"],"name_or_path":"x"}"#,
      #"{"tokenizer_class":"PreTrainedTokenizerFast","max_len":1e30,"sep_token":null,"#
        + #""mask_token":{"__type":"AddedToken","content":"[MASK]","lstrip":true,"rstrip":true,"#
        + #"\#(flags)},"extra_special_tokens":{"x":"<x>"},"bos_token":"<s>"}"#,
    ],
    .specialTokens: [
      #"{"mask_token":{"content":"[MASK]","lstrip":true,"rstrip":true,\#(flags)},"#
        + #""unk_token":"[UNK]","additional_special_tokens":["<a>",{"content":"<b>","#
        + #""lstrip":false,"rstrip":true,\#(flags)}]}"#,
      #"{"cls_token":"[CLS]","sep_token":null,"pad_token":"hello","mask_token":"<m>"}"#,
    ],
    .addedTokens: [#"{"<new>":17,"Other":18}"#, "{}"],
    .model: [
      #"{"model_type":"bert","transformers_version":"4.57.6"}"#,
      #"{"tokenizer_class":"PreTrainedTokenizerFast","transformers_version":"5.0.0"}"#,
    ],
  ]

  private static let folderTexts = [
    "", "Hello, unaffable caf\u{E9} [MASK]  New <a><b> NEW", "<new> other <x> <s>[CLS]<m>",
    String(repeating: "ab ", count: 40),
  ]

  @Test(arguments: FuzzTests.folderFiles.keys.sorted { $0.rawValue < $1.rawValue })
  func tokenizerFolders(_ name: TokenizerFiles.Name) {
    let seeds = bytes(FuzzTests.folderFiles[name] ?? [])
    var texts: [TokenizerFiles.Name: [UInt8]] = [.tokenizer: FuzzTests.tokenizers[0]]
    if name != .model { texts[.model] = bytes(FuzzTests.folderFiles[.model] ?? [])[0] }
    run("tokenizer folders, \(name.rawValue)", seeds) { bytes in
      texts[name] = bytes
      return parsing([PreprocessingError.self]) {
        let tokenizer = try TextTokenizers.read(
          TokenizerFiles(
            Dictionary(
              uniqueKeysWithValues: texts.map { ($0, .init(origin: $0.rawValue, bytes: $1)) })))
        // The seeds name up to two tokens that the vocabulary lacks.
        let rows = tokenizer.vocabularySize + 2
        try tokenizer.requireRows(rows)
        guard 0..<rows ~= Int(tokenizer.paddingID), (tokenizer.configuredMaximumLength ?? 3) >= 3
        else { return false }
        return FuzzTests.folderTexts.allSatisfy { isSound(tokenizer, $0, rows: rows) }
      }
    }
  }

  /// Whether all ids are rows of the table, and a limit only cuts.
  private func isSound(_ tokenizer: any TextTokenizer, _ text: String, rows: Int) -> Bool {
    let all = tokenizer.ids(of: text, maximumLength: 1 << 20)
    guard all.allSatisfy({ 0..<rows ~= Int($0) }) else { return false }
    let bare = tokenizer.ids(of: "", maximumLength: 1 << 20).count
    return [0, 1, 7, tokenizer.configuredMaximumLength ?? 512].allSatisfy { limit in
      tokenizer.ids(of: text, maximumLength: limit).count == min(max(limit, bare), all.count)
    }
  }
}
