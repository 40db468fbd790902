package import StrictJSON

/// The known keys of files that describe how images become a model's input.
package enum PreprocessorKeys {
  // MARK: transformers

  private static let switches = [
    "do_resize", "do_center_crop", "do_rescale", "do_normalize", "do_convert_rgb",
  ]

  /// Of `preprocessor_config.json`, as a class of transformers and its fast twin read it.
  private static func huggingFace(_ kind: ProcessorKind) -> KeyRules {
    KeyRules(
      understood: understood, harmless: harmless,
      neutral: neutral.merging([
        "default_to_square": [.bool(kind.makesSquares)]
      ]) { first, _ in first }, nullable: .any)
  }

  private static let understood =
    switches + [
      "image_processor_type", "feature_extractor_type", "size", "crop_size", "resample",
      "rescale_factor", "image_mean", "image_std", "use_square_size",
    ]

  private static let harmless = [
    "processor_class": "says which class of the library holds the processor",
    "_processor_class": "says which class of the library holds the processor",
    "name_or_path": "says where the processor came from",
    "_valid_processor_keys": "names of arguments, for the library's own check",
    "return_tensors": "in which library's arrays images come out",
    "device": "where images are worked on",
    "disable_grouping": "how images are batched, which changes none of them",
  ]

  private static let neutral: [String: [JSONValue]] = [
    "data_format": ["channels_first"], "input_data_format": [], "do_pad": [false], "pad_size": [],
    "auto_map": [],
  ]

  /// Refuses unknown keys and values of a `preprocessor_config.json`.
  ///
  /// A switch that is null is off in one processor of the library and on in the other, but for
  /// the steps that a class never takes.
  package static func check(huggingFace root: JSONObject) throws(JSONError) {
    let kind = ProcessorKind.named(in: root)
    let absent = kind.crops ? [] : ["do_center_crop", "do_convert_rgb"]
    for key in switches + ["resample", "rescale_factor"] {
      guard let node = root[key], node.isNull, !absent.contains(key) else { continue }
      throw root.error(
        "'\(key)' is null, which versions of the library read differently; write "
          + "its value or leave it out", at: node.position)
    }
    try huggingFace(kind).check(root)
  }

  /// Of `processor_config.json`: everything around the object that says how images are prepared.
  private static let processor = KeyRules(
    understood: ["image_processor"],
    harmless: [
      "processor_class": "says which class of the library holds the processor",
      "chat_template": "for conversations; no embedding uses it",
    ],
    neutral: ["auto_map": []],
    nullable: .any)

  /// Refuses unknown keys and values of a `processor_config.json`, except in its `image_processor`.
  package static func check(processor root: JSONObject) throws(JSONError) {
    try processor.check(root)
  }

  // MARK: OpenCLIP

  private static let openCLIP = KeyRules(
    understood: ["model_cfg", "preprocess_cfg"], nullable: .any)

  private static let steps = KeyRules(
    understood: ["mean", "std", "mode", "interpolation", "resize_mode"],
    harmless: [
      "size": "the image size of the model counts",
      "fill_color": "of resize_mode longest, which is not supported",
    ],
    nullable: .any)

  /// Refuses unknown keys and values of an `open_clip_config.json`, except in the model's own part.
  package static func check(openCLIP root: JSONObject) throws(JSONError) {
    try openCLIP.check(root)
    if root.has("preprocess_cfg") { try steps.check(root.object("preprocess_cfg")) }
  }

  // MARK: timm

  private static let timm = KeyRules(
    understood: [
      "input_size", "interpolation", "crop_pct", "crop_mode", "mean", "std", "num_classes",
    ],
    harmless: [
      "tag": "names the weights", "license": "says who may use the weights",
      "url": "where the weights came from", "file": "where the weights came from",
      "hf_hub_id": "where the weights came from", "hf_hub_filename": "where the weights came from",
      "origin_url": "where the weights came from", "paper_ids": "where the weights came from",
      "paper_name": "where the weights came from", "notes": "remarks", "source": "remarks",
      "architecture": "the key outside counts", "custom_load": "how the library loads weights",
      "first_conv": "names a layer for the library", "classifier": "names a layer for the library",
      "fixed_input_size": "whether the library takes other sizes",
      "min_input_size": "whether the library takes other sizes",
      "pool_size": "follows from the image's size", "label_offset": "matters in training alone",
      "test_input_size": "the library takes it when it is asked to",
      "test_crop_pct": "the library takes it when it is asked to",
      "label_names": "the key outside counts", "label_descriptions": "longer names of the labels",
    ],
    nullable: .any)

  /// Refuses unknown keys and values of `pretrained_cfg` in timm's `config.json`.
  package static func check(timm config: JSONObject) throws(JSONError) { try timm.check(config) }
}
