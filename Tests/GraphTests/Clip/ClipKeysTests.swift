import Graph
import ModelFixtures
import TestSupport
import Testing

/// Every key of the files of a CLIP folder.
struct ClipKeysTests {
  /// The keys that transformers 4.16 wrote into each half of openai/clip-vit-base-patch32.
  private static let generation = """
    "_name_or_path": "", "add_cross_attention": false, "architectures": null,
    "attention_dropout": 0.0, "bad_words_ids": null, "bos_token_id": 0, "chunk_size_feed_forward": 0,
    "cross_attention_hidden_size": null, "decoder_start_token_id": null, "diversity_penalty": 0.0,
    "do_sample": false, "dropout": 0.0, "early_stopping": false, "encoder_no_repeat_ngram_size": 0,
    "finetuning_task": null, "forced_bos_token_id": null, "forced_eos_token_id": null,
    "id2label": {"0": "LABEL_0", "1": "LABEL_1"}, "initializer_factor": 1.0,
    "initializer_range": 0.02, "is_decoder": false, "is_encoder_decoder": false,
    "label2id": {"LABEL_0": 0, "LABEL_1": 1}, "length_penalty": 1.0, "max_length": 20,
    "min_length": 0, "no_repeat_ngram_size": 0, "num_beam_groups": 1, "num_beams": 1,
    "num_return_sequences": 1, "output_attentions": false, "output_hidden_states": false,
    "output_scores": false, "pad_token_id": 1, "prefix": null, "problem_type": null,
    "pruned_heads": {}, "remove_invalid_values": false, "repetition_penalty": 1.0,
    "return_dict": true, "return_dict_in_generate": false, "sep_token_id": null,
    "task_specific_params": null, "temperature": 1.0, "tie_encoder_decoder": false,
    "tie_word_embeddings": true, "tokenizer_class": null, "top_k": 50, "top_p": 1.0,
    "torch_dtype": null, "torchscript": false, "transformers_version": "4.16.0.dev0",
    "use_bfloat16": false,
    """

  private static func encoders(_ texts: [String: String]) throws -> [ClipEncoder] {
    let weights = ClipTexts.imageWeights.merging(ClipTexts.textWeights) { first, _ in first }
      .filter { $0.key.contains("_model.") == (texts["config.json"] != nil) }
    return try ClipEncoder.encoders(files(texts), weights: ShapesOnly(named: weights))
  }

  private func changed(
    _ texts: [String: String], _ file: String, _ old: String, _ new: String
  ) throws -> [String: String] {
    var texts = texts
    let text = try #require(texts[file])
    try #require(text.contains(old))
    texts[file] = text.replacing(old, with: new, maxReplacements: 1)
    return texts
  }

  @Test func whatOlderVersionsWroteIsHarmless() throws {
    var texts = ClipTexts.huggingFace
    for half in ["text", "vision"] {
      texts = try changed(
        texts, "config.json", "\"\(half)_config\": {",
        "\"\(half)_config_dict\": null, \"\(half)_config\": {\(Self.generation)"
          + " \"model_type\": \"clip_\(half)_model\", \"projection_dim\": 512,")
    }
    texts = try changed(
      texts, "config.json", "{\"model_type\"",
      "{\"architectures\": [\"CLIPModel\"], \"initializer_factor\": 1.0, "
        + "\"logit_scale_init_value\": 2.6592, \"torch_dtype\": \"float32\", "
        + "\"transformers_version\": null, \"_name_or_path\": \"x\", \"_commit_hash\": null, "
        + "\"model_type\"")
    texts = try changed(
      texts, "preprocessor_config.json", "{\"image_mean\"",
      """
      {"feature_extractor_type": "CLIPFeatureExtractor", "do_center_crop": true,
       "do_convert_rgb": true, "do_normalize": true, "do_rescale": true, "do_resize": true,
       "image_processor_type": "CLIPImageProcessorFast", "processor_class": "CLIPProcessor",
       "resample": 3, "data_format": "channels_first", "default_to_square": false, "device": null,
       "input_data_format": null, "return_tensors": null, "do_pad": null, "pad_size": null,
       "_valid_processor_keys": ["images"], "image_mean"
      """)
    let own = try Self.encoders(ClipTexts.huggingFace)
    let found = try Self.encoders(texts)
    #expect(found.map(\.input) == own.map(\.input))
    #expect(found.map(\.output) == own.map(\.output))
  }

  @Test func whatOpenCLIPMaySayIsHarmless() throws {
    var texts = try changed(
      ClipTexts.openCLIP, "open_clip_config.json", "\"vision_cfg\": {",
      """
      "custom_text": true, "quick_gelu": false, "init_logit_scale": 2.6, "init_logit_bias": null,
      "nonscalar_logit_scale": true, "vision_cfg": {"ls_init_value": null, "patch_dropout": 0.5,
      "attentional_pool": false, "attn_pooler_queries": 256, "no_ln_pre": false,
      "pos_embed_type": "learnable", "pool_type": "tok", "output_tokens": false, "act_kwargs": null,
      "norm_kwargs": {}, "block_type": null, "qk_norm": false, "timm_model_name": null,
      "timm_pool": "avg",
      """)
    texts = try changed(
      texts, "open_clip_config.json", "\"text_cfg\": {",
      """
      "text_cfg": {"hf_tokenizer_name": null, "tokenizer_kwargs": null, "embed_cls": false,
      "pad_id": 0, "eos_id": 2, "no_causal_mask": false, "final_ln_after_pool": false,
      "pool_type": "argmax", "proj_bias": false, "proj_type": "linear", "hf_model_name": null,
      "hf_proj_type": "mlp", "scale_fc": false,
      """)
    texts = try changed(
      texts, "open_clip_config.json", "\"preprocess_cfg\": {",
      """
      "preprocess_cfg": {"size": 224, "mode": "RGB", "interpolation": "bicubic",
      "resize_mode": "shortest", "fill_color": 0,
      """)
    #expect(
      try Self.encoders(texts).map(\.output) == Self.encoders(ClipTexts.openCLIP).map(\.output))
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    let file: String
    let old: String
    let new: String
    let message: String
    var testDescription: String { new }

    init(_ file: String, _ old: String, _ new: String, _ message: String) {
      (self.file, self.old, self.new, self.message) = (file, old, new, message)
    }
  }

  private static let notUnderstood = "is not understood, and it may change what the model does"

  static let faults = [
    Fault(
      "config.json", "{\"model_type\"", "{\"auto_map\": {}, \"model_type\"",
      "the key 'auto_map' ({}) \(notUnderstood)"),
    Fault(
      "config.json", "\"text_config\": {", "\"text_config\": {\"quantization_config\": 4, ",
      "the key 'quantization_config' (the number 4) \(notUnderstood)"),
    Fault(
      "config.json", "\"vision_config\": {", "\"vision_config\": {\"qkv_bias\": false, ",
      "the key 'qkv_bias' (false) \(notUnderstood)"),
    Fault(
      "config.json", "\"vision_config\": {",
      "\"vision_config\": {\"model_type\": \"siglip_vision_model\", ",
      "'model_type' is the string \"siglip_vision_model\", which is not supported; supported: "
        + "\"clip_vision_model\""),
    Fault(
      "config.json", "\"text_config\": {", "\"text_config\": {\"is_decoder\": true, ",
      "'is_decoder' is true, which is not supported; supported: false"),
    Fault(
      "config.json", "\"eos_token_id\": 19", "\"eos_token_id\": null",
      "'eos_token_id' is null, expected a value, or no such key"),
    Fault(
      "preprocessor_config.json", "{\"image_mean\"", "{\"crop_pct\": 0.9, \"image_mean\"",
      "the key 'crop_pct' (the number 0.9) \(notUnderstood)"),
    Fault(
      "preprocessor_config.json", "{\"image_mean\"", "{\"do_flip\": false, \"image_mean\"",
      "the key 'do_flip' (false) \(notUnderstood)"),
    Fault(
      "preprocessor_config.json", "{\"image_mean\"", "{\"do_rescale\": null, \"image_mean\"",
      "'do_rescale' is null, which versions of the library read differently"),
    Fault(
      "preprocessor_config.json", "{\"image_mean\"",
      "{\"data_format\": \"channels_last\", \"image_mean\"",
      "'data_format' is the string \"channels_last\", which is not supported"),
    Fault(
      "open_clip_config.json", "{\"model_cfg\"", "{\"version\": 1, \"model_cfg\"",
      "the key 'version' (the number 1) \(notUnderstood)"),
    Fault(
      "open_clip_config.json", "\"embed_dim\"", "\"audio_cfg\": {}, \"embed_dim\"",
      "the key 'audio_cfg' ({}) \(notUnderstood)"),
    Fault(
      "open_clip_config.json", "\"text_cfg\": {",
      "\"text_cfg\": {\"tokenizer_kwargs\": {\"clean\": \"whitespace\"}, ",
      "'clean' is the string \"whitespace\", which is not supported; supported: \"lower\""),
    Fault(
      "open_clip_config.json", "\"vision_cfg\": {", "\"vision_cfg\": {\"rope\": false, ",
      "the key 'rope' (false) \(notUnderstood)"),
    Fault(
      "open_clip_config.json", "\"preprocess_cfg\": {", "\"preprocess_cfg\": {\"gamma\": 1, ",
      "the key 'gamma' (the number 1) \(notUnderstood)"),
  ]

  @Test(arguments: faults)
  func isRefusedNamingTheKey(_ fault: Fault) throws {
    let isOpen = fault.file == "open_clip_config.json"
    let texts = try changed(
      isOpen ? ClipTexts.openCLIP : ClipTexts.huggingFace, fault.file, fault.old, fault.new)
    let text = message { _ = try Self.encoders(texts) } ?? ""
    #expect(text.hasPrefix("model/\(fault.file):") && text.contains(fault.message), "\(text)")
  }

  // MARK: Which file wins

  @Test(arguments: [
    (#"{"model_max_length": 5}"#, 5), (#"{"model_max_length": 1e30}"#, 7),
    (#"{"model_max_length": 77}"#, 7), ("{}", 7),
  ])
  func textsAreCutWhereTheTokenizerSays(json: String, length: Int) throws {
    var texts = ClipTexts.huggingFace
    texts["tokenizer_config.json"] = json
    let text = try #require(try Self.encoders(texts).last)
    #expect(text.input == .tokens(maximumLength: length, vocabulary: 20))
    #expect(text.describingFiles == ["config.json", "tokenizer.json", "tokenizer_config.json"])
    // With OpenCLIP the file says nothing.
    var open = ClipTexts.openCLIP
    open["tokenizer_config.json"] = json
    #expect(try Self.encoders(open).last?.input == .tokens(maximumLength: 7, vocabulary: 20))
  }

  @Test func theDictionaryOfTheFirstYearsCountsAlone() throws {
    let texts = try changed(
      ClipTexts.huggingFace, "config.json", "\"text_config\": {",
      "\"text_config_dict\": {\"vocab_size\": 20, \"eos_token_id\": 19}, \"text_config\": {")
    // What it leaves out has the library's own value, not that of the other object.
    #expect(
      try Self.encoders(texts).last?.input == .tokens(maximumLength: 77, vocabulary: 20))
  }

  @Test func theWidthOfTheWholeCounts() throws {
    let texts = try changed(
      ClipTexts.huggingFace, "config.json", "\"projection_dim\": 6,\n \"text_config\": {",
      "\"text_config\": {\"projection_dim\": 6, ")
    #expect(
      try Self.encoders(texts).map(\.output) == [.embedding(width: 512), .embedding(width: 512)])
  }
}
