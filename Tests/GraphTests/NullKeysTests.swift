import Graph
import ModelFixtures
import TestSupport
import Testing

/// A null in a describing file is not the absence of its key, but where the library takes it so.
struct NullKeysTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let file: String
    let key: String
    var testDescription: String { "\(file): \(key)" }
  }

  private static func all(_ file: String, _ keys: [String]) -> [Case] {
    keys.map { Case(file: file, key: $0) }
  }

  private static let dense = "2_Dense/config.json"
  private static let modules = """
    [{"path": "", "type": "sentence_transformers.models.Transformer"},
     {"path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
     {"path": "2_Dense", "type": "sentence_transformers.models.Dense"},
     {"path": "3_Normalize", "type": "sentence_transformers.models.Normalize"}]
    """

  private static func text(_ test: Case) -> String {
    let member = "\"\(test.key)\":"
    switch test.file {
    case "config.json":
      return BertTests.config.contains(member)
        ? BertTests.edited(BertTests.config, member, "\(member) null, \"value\":")
        : BertTests.edited(BertTests.config, "{", "{\(member) null, ")
    case "modules.json":
      return modules.replacing(
        #""path": "1_Pooling""#, with: #""path": "1_Pooling", \#(member) null"#)
    case dense: return "{\(member) null, \"in_features\": 8, \"out_features\": 4}"
    default: return "{\(member) null}"
    }
  }

  private func bert(_ test: Case) throws -> Bert? {
    let texts = BertTests.texts([
      "modules.json": Self.modules,
      Self.dense: #"{"in_features": 8, "out_features": 4}"#,
    ]).merging([test.file: Self.text(test)]) { _, new in new }
    return try Bert.recognise(files(texts), weights: ShapesOnly())
  }

  static let refused: [Case] =
    all(
      "config.json",
      [
        "position_embedding_type", "hidden_act", "layer_norm_eps", "is_decoder",
        "chunk_size_feed_forward", "hidden_size", "num_attention_heads", "num_hidden_layers",
        "intermediate_size", "vocab_size", "max_position_embeddings", "type_vocab_size",
      ])
    + all(
      "sentence_bert_config.json",
      [
        "transformer_task", "modality_config", "module_output_name", "model_args", "model_kwargs",
        "tokenizer_args", "processor_kwargs", "config_args", "config_kwargs",
      ])
    + all(
      "1_Pooling/config.json",
      [
        "include_prompt", "pooling_mode", "embedding_dimension", "word_embedding_dimension",
        "pooling_mode_mean_tokens",
      ])
    + all("config_sentence_transformers.json", ["model_type", "prompts"])
    + all(dense, ["bias", "activation_function", "module_input_name"])
    + all("3_Normalize/config.json", ["module_input_name"])
    + all("modules.json", ["kwargs", "name"])

  @Test(arguments: refused) func refuses(_ test: Case) {
    let text = message { _ = try bert(test) } ?? "accepted"
    #expect(text.hasPrefix("model/\(test.file):"), "\(text)")
    #expect(text.contains("'\(test.key)' is null, which is not "), "\(text)")
  }

  static let taken: [Case] =
    all(
      "config.json",
      [
        "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size", "pruned_heads",
        "tokenizer_class", "classifier_dropout", "pad_token_id", "id2label",
      ])
    + all(
      "sentence_bert_config.json",
      [
        "max_seq_length", "do_lower_case", "processing_kwargs", "query_length", "document_length",
        "query_expansion", "tokenizer_name_or_path",
      ])
    + all(
      "config_sentence_transformers.json",
      ["default_prompt_name", "truncate_dim", "similarity_fn_name"])
    + all(dense, ["module_output_name", "use_residual"])
    + all("3_Normalize/config.json", ["module_output_name"])

  @Test(arguments: taken) func takes(_ test: Case) throws {
    let found = try #require(try bert(test))
    #expect(found.output == .embedding(width: 4))
  }

  @Test func aLimitOfNullIsNoneWhateverTheOldNameSays() throws {
    var texts = BertTests.texts([
      "tokenizer_config.json": #"{"model_max_length": null, "max_len": 6}"#
    ])
    texts["sentence_bert_config.json"] = nil
    let bert = try #require(try Bert.recognise(files(texts), weights: ShapesOnly()))
    #expect(bert.maximumLength == 12)
  }

  @Test(arguments: [
    ("sentence_bert_config.json", #"{"max_seq_length": 8.0}"#),
    ("sentence_bert_config.json", #"{"max_seq_length": 1e1}"#),
    ("config_sentence_transformers.json", #"{"truncate_dim": 4.0}"#),
    ("1_Pooling/config.json", #"{"pooling_mode": "mean", "embedding_dimension": 8.0}"#),
    ("config.json", BertTests.edited(BertTests.config, ": 20,", ": 20.0,")),
  ])
  func refusesAFloatForAnInteger(file: String, text: String) {
    let found = message {
      _ = try Bert.recognise(
        files(BertTests.texts([file: text])), weights: ShapesOnly())
    }
    let expected = "expected an integer, without a point or an exponent"
    #expect(found?.hasSuffix(expected) == true, "\(found ?? "accepted")")
  }
}
