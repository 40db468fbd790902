import Files
import Graph
import ModelFixtures
import ProjectFixtures
import TestSupport
import Weights

/// A tiny encoder of texts of at most 10 tokens, all of whose weights are 0.5, with a tokenizer of a
/// few words.
enum TextModel {
  private static let texts = [
    "config.json": """
    {"model_type": "bert", "hidden_size": 8, "num_attention_heads": 2, "num_hidden_layers": 1,
     "intermediate_size": 16, "vocab_size": 20, "max_position_embeddings": 12,
     "type_vocab_size": 2, "layer_norm_eps": 1e-12, "hidden_act": "gelu"}
    """,
    "modules.json": """
    [{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
     {"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"}]
    """,
    "1_Pooling/config.json": #"{"pooling_mode_mean_tokens": true}"#,
    "sentence_bert_config.json": #"{"max_seq_length": 10, "do_lower_case": false}"#,
    "tokenizer.json": tokenizer,
  ]

  private static let tokenizer = """
    {"version": "1.0", "added_tokens": [],
     "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
       "strip_accents": null, "lowercase": true},
     "pre_tokenizer": {"type": "BertPreTokenizer"},
     "post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]},
     "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
       "max_input_chars_per_word": 100,
       "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "[MASK]": 4, "word": 5}}}
    """

  /// Writes the model to a folder.
  static func write(to folder: String, in scratch: TemporaryFolder) throws {
    for (path, text) in texts { try scratch.write("\(folder)/\(path)", text) }
    let files = ModelFiles(carriedBy: folder, texts: texts.mapValues { Array($0.utf8) })
    guard let bert = try Bert.recognise(files, weights: ShapesOnly()) else {
      throw NotThere(what: "bert")
    }
    let weights = try bert.graph(batch: 1, length: 1).weights
    var file = try StagedFile(path: scratch.path("\(folder)/model.safetensors"))
    let offsets = try SafetensorsWriter.reserve(
      weights.map { ($0.name, .f32, $0.shape, 4 * $0.elementCount) }, metadata: [:], in: &file)
    for (weight, offset) in zip(weights, offsets) {
      try file.overwrite(
        (0..<weight.elementCount).flatMap { _ in [0, 0, 0, 0x3F] as [UInt8] }, at: offset)
    }
    try file.commit()
  }
}
