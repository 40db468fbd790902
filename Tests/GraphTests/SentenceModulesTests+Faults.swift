import Graph
import TestSupport
import Testing

// Modules that are not understood.
extension SentenceModulesTests {
  private static func unknownType(_ type: String) -> String {
    "model/modules.json: 'type': '\(type)' is not supported; supported: Transformer, Pooling, "
      + "Dense, LayerNorm, Dropout, Normalize, StaticEmbedding of sentence-transformers"
  }

  static let refusals: [BertTests.Refusal] = [
    BertTests.Refusal(
      name: "two poolings, the mean's switch missing", file: "1_Pooling/config.json",
      text: #"{"pooling_mode_cls_token": true}"#,
      expected: "model/1_Pooling/config.json:1:1: 'pooling_mode_mean_tokens' is missing beside "
        + "'pooling_mode_cls_token'; sentence-transformers took it for true up to 5.3, and takes "
        + "it for false since 5.4; write which it is"),
    BertTests.Refusal(
      name: "no pooling is switched on", file: "1_Pooling/config.json",
      text: #"{"pooling_mode_mean_tokens": false}"#,
      expected: "model/1_Pooling/config.json:1:1: none of 'pooling_mode_mean_tokens' and the like "
        + "is true; write which pooling it is"),
    BertTests.Refusal(
      name: "two modules of one name", file: "modules.json",
      text: BertTests.edited(BertTests.modules, #""idx": 1"#, #""name": "a", "idx": 1"#)
        .replacing(#""idx": 2"#, with: #""name": "a", "idx": 2"#),
      expected: "model/modules.json:3:2: two modules are called 'a'; "
        + "sentence-transformers runs the later alone"),
    BertTests.Refusal(
      name: "an unknown pooling", file: "1_Pooling/config.json",
      text: #"{"pooling_mode": ["mean", "median"]}"#,
      expected: "model/1_Pooling/config.json: 'pooling_mode': 'median' is not supported; "
        + "supported: cls, max, mean, mean_sqrt_len_tokens, weightedmean, lasttoken"),
    BertTests.Refusal(
      name: "another width", file: "1_Pooling/config.json",
      text: #"{"word_embedding_dimension": 16, "pooling_mode": "mean"}"#,
      expected: "model/1_Pooling/config.json:1:30: 'word_embedding_dimension' is 16, "
        + "'hidden_size' of the transformer is 8"),
    BertTests.Refusal(
      name: "an unknown key of the pooling", file: "1_Pooling/config.json",
      text: #"{"pooling_mode": "mean", "layers": 4}"#,
      expected: "model/1_Pooling/config.json:1:36: the key 'layers' (the number 4) is not "
        + "understood, and it may change what the model does"),
    BertTests.Refusal(
      name: "an unknown module", file: "modules.json",
      text: chain(["Transformer", "Pooling", "WordWeights"]),
      expected: unknownType("sentence_transformers.models.WordWeights")),
    BertTests.Refusal(
      name: "somebody else's Pooling", file: "modules.json",
      text: BertTests.edited(
        BertTests.modules, "sentence_transformers.models.Pooling", "mine.Pooling"),
      expected: unknownType("mine.Pooling")),
    BertTests.Refusal(
      name: "arguments of a module", file: "modules.json",
      text: BertTests.edited(BertTests.modules, #""idx": 2"#, #""idx": 2, "kwargs": ["task"]"#),
      expected: "model/modules.json:3:23: 'kwargs' is [\"task\"], which is not supported; "
        + "supported: []"),
    BertTests.Refusal(
      name: "no pooling", file: "modules.json", text: chain(["Transformer", "Normalize"]),
      expected: "model/modules.json: the chain Transformer, Normalize is not supported; supported: "
        + "Transformer, Pooling and then any of Dense, LayerNorm, Dropout, Normalize"),
    BertTests.Refusal(
      name: "a Dense without its file", file: "modules.json",
      text: chain(["Transformer", "Pooling", "Dense"]),
      expected: "model: '2_Dense/config.json' is missing; modules.json names its folder"),
    BertTests.Refusal(
      name: "more tokens than positions", file: "sentence_bert_config.json",
      text: #"{"max_seq_length": 512}"#,
      expected: "model/sentence_bert_config.json: 'max_seq_length': 512 is not supported; "
        + "supported: at most 'max_position_embeddings' of config.json, which is 12"),
    BertTests.Refusal(
      name: "another output of the transformer", file: "sentence_bert_config.json",
      text: #"{"module_output_name": "sentence_embedding"}"#,
      expected: "model/sentence_bert_config.json:1:24: 'module_output_name' is the string "
        + "\"sentence_embedding\", which is not supported; supported: \"token_embeddings\""),
    BertTests.Refusal(
      name: "arguments of the tokenizer", file: "sentence_bert_config.json",
      text: #"{"tokenizer_args": {"model_max_length": 4}}"#,
      expected:
        "model/sentence_bert_config.json:1:20: 'tokenizer_args' is {\"model_max_length\":4}, "
        + "which is not supported; supported: {}"),
    BertTests.Refusal(
      name: "another kind of model", file: "config_sentence_transformers.json",
      text: #"{"model_type": "SparseEncoder"}"#,
      expected: "model/config_sentence_transformers.json:1:16: 'model_type' is the string "
        + "\"SparseEncoder\", which is not supported; supported: \"SentenceTransformer\""),
    BertTests.Refusal(
      name: "a default prompt that is not there", file: "config_sentence_transformers.json",
      text: #"{"prompts": {"passage": "p: "}, "default_prompt_name": "q"}"#,
      expected: "model/config_sentence_transformers.json:1:56: 'default_prompt_name' is 'q', "
        + "'prompts' has 'passage'"),
  ]

  @Test(arguments: refusals)
  func refuses(_ refusal: BertTests.Refusal) {
    #expect(message { _ = try bert([refusal.file: refusal.text]) } == refusal.expected)
  }

  private static func dense(_ keys: String) -> String {
    #"{"in_features": 8, "out_features": 4, \#(keys)}"#
  }

  static let denseRefusals: [(config: String, expected: String)] = [
    (
      dense(#""activation_function": "mine.Act""#),
      "model/2_Dense/config.json: 'activation_function': 'mine.Act' is not supported; supported: "
        + "torch.nn.modules.activation.Tanh, torch.nn.modules.linear.Identity, "
        + "torch.nn.modules.activation.ReLU, torch.nn.modules.activation.GELU, "
        + "torch.nn.modules.activation.Sigmoid, torch.nn.modules.activation.SiLU"
    ),
    (
      dense(#""use_residual": true"#),
      "model/2_Dense/config.json:1:55: 'use_residual' is true, which is not supported; "
        + "supported: false"
    ),
    (
      dense(#""module_input_name": "token_embeddings""#),
      "model/2_Dense/config.json:1:60: 'module_input_name' is the string \"token_embeddings\", "
        + "which is not supported; supported: \"sentence_embedding\""
    ),
    (
      #"{"in_features": 9, "out_features": 4}"#,
      "model/2_Dense/config.json:1:17: 'in_features' is 9, the module before gives 8 numbers"
    ),
  ]

  @Test(arguments: denseRefusals)
  func refusesADense(_ config: String, _ expected: String) {
    let text = message {
      _ = try bert([
        "modules.json": Self.chain(["Transformer", "Pooling", "Dense"]),
        "2_Dense/config.json": config,
      ])
    }
    #expect(text == expected)
  }

}
