/// Describing files of small CLIP models of either layout, and the shapes of their weights.
enum ClipTexts {
  static let huggingFace = [
    "config.json": """
    {"model_type": "clip", "projection_dim": 6,
     "text_config": {"hidden_size": 8, "intermediate_size": 16, "num_attention_heads": 2,
       "num_hidden_layers": 1, "vocab_size": 20, "max_position_embeddings": 7,
       "hidden_act": "quick_gelu", "eos_token_id": 19, "layer_norm_eps": 1e-5},
     "vision_config": {"hidden_size": 12, "intermediate_size": 24, "num_attention_heads": 3,
       "num_hidden_layers": 2, "image_size": 8, "patch_size": 4, "hidden_act": "gelu"}}
    """,
    "preprocessor_config.json": """
    {"image_mean": [0.5, 0.25, 0], "image_std": [0.5, 0.25, 1], "rescale_factor": 0.00390625,
     "size": {"shortest_edge": 8}, "crop_size": {"height": 8, "width": 8}}
    """,
    "tokenizer.json": "{}",
  ]

  static let openCLIP = [
    "open_clip_config.json": """
    {"model_cfg": {"embed_dim": 6,
       "vision_cfg": {"image_size": 8, "layers": 2, "width": 12, "patch_size": 4, "head_width": 4},
       "text_cfg": {"context_length": 7, "vocab_size": 20, "width": 8, "heads": 2, "layers": 1}},
     "preprocess_cfg": {"mean": [0.5, 0.25, 0], "std": [0.5, 0.25, 1]}}
    """,
    "tokenizer.json": "{}",
  ]

  /// Of each layout the weight that tells that an encoder is there.
  static let imageWeights = [
    "vision_model.embeddings.patch_embedding.weight": [12, 3, 4, 4],
    "visual.conv1.weight": [12, 3, 4, 4],
  ]
  static let textWeights = [
    "text_model.embeddings.token_embedding.weight": [20, 8], "token_embedding.weight": [20, 8],
  ]
}
