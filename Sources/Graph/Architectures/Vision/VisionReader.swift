import Imaging
import StrictJSON
import Weights

/// Reads the files of an image model of transformers: `config.json`, and the file that says how
/// images become its input.
struct VisionReader: ConfigurationReader {
  private static let configName = "config.json"

  /// The configuration of the model, or of its image half.
  let config: JSONObject
  private let settings: JSONObject
  private let processor: ImageProcessor
  let describingFiles: [String]

  /// Nil where the model is of another type.
  ///
  /// - Parameter half: the configuration of the image half, if that is not the whole file.
  /// - Throws: without settings for images, and for those of a class that is not known.
  init?(_ files: ModelFiles, modelTypes: [String], of half: JSONObject? = nil) throws {
    guard let root = try files.object(Self.configName), let type = root["model_type"]?.string,
      modelTypes.contains(type)
    else { return nil }
    guard let found = try ImagePreprocessing(files) else {
      throw try ModelError.noImagePreprocessing(files)
    }
    try Self.requireKind(found.settings)
    config = half ?? root
    settings = found.settings
    processor = try ImageProcessor(huggingFace: found.settings)
    describingFiles = [Self.configName, found.path]
  }

  /// Without a name the library takes a class by the type of the model, and versions differ.
  private static func requireKind(_ settings: JSONObject) throws(JSONError) {
    guard ["image_processor_type", "feature_extractor_type"].contains(where: settings.has) else {
      throw settings.error("the key 'image_processor_type' is missing", at: settings.position)
    }
  }

  /// The images that the processor makes, cut into patches.
  func image() throws -> VisionImage {
    guard try integer("num_channels", 3, in: 1...16) == 3 else {
      throw ModelError.unsupported(
        place: "\(config.origin): 'num_channels'", found: "another number than 3", supported: "3")
    }
    let patch = try integer("patch_size", 16, in: 1...1 << 12)
    guard processor.width >= patch, processor.height >= patch else {
      throw config.error(
        "'patch_size' is \(patch), images have \(processor.width) × \(processor.height) pixels",
        at: config.position)
    }
    return VisionImage(
      width: processor.width, height: processor.height, patch: patch,
      normalisation: try PixelNormalisation(huggingFace: settings))
  }

  /// Patches of a side of the images that the table of positions was made for.
  ///
  /// - Parameter usual: pixels of a side where the file does not say.
  func trainedGrid(_ usual: Int = 224) throws -> Int {
    let side = try integer("image_size", usual, in: 1...1 << 14)
    return side / (try integer("patch_size", 16, in: 1...1 << 12))
  }

  /// Refuses images of another size than the table of positions was made for.
  func requireTrainedSize(_ image: VisionImage) throws {
    let side = try integer("image_size", 224, in: 1...1 << 14)
    guard image.width == side, image.height == side else {
      throw config.error(
        "'image_size' is \(side), the processor makes images of \(image.width) × \(image.height)",
        at: config["image_size"]?.position ?? config.position)
    }
  }
}

/// Keys of the configurations of image models that never change a vector.
enum VisionKeys {
  /// Each with the reason.
  static let harmless: [String: String] =
    TransformersKeys.harmless
    + TransformersKeys.reason("matters in training alone")([
      "attention_probs_dropout_prob", "hidden_dropout_prob", "attention_dropout", "dropout",
      "drop_path_rate", "layerscale_value", "use_mask_token", "pos_embed_shift",
      "pos_embed_jitter", "pos_embed_rescale", "encoder_stride",
    ])
    + TransformersKeys.reason("belongs to a backbone, which hands out the states of layers")([
      "out_features", "out_indices", "stage_names", "apply_layernorm", "reshape_hidden_states",
      "return_class_token",
    ])

  /// The rules of a `config.json`.
  static func rules(
    _ understood: [String], neutral: [String: [JSONValue]] = [:]
  ) -> KeyRules {
    KeyRules(
      understood: ["model_type"] + understood, harmless: harmless,
      neutral: TransformersKeys.neutral.merging(neutral) { first, _ in first },
      nullable: [
        "add_cross_attention", "is_encoder_decoder", "cross_attention_hidden_size",
        "pruned_heads",
      ])
  }
}

/// Finds the prefix under which a checkpoint has an image model's weights.
enum VisionPrefix {
  /// The prefix before a name that every model has; the first where the name is missing.
  static func find(
    _ prefixes: [String], before name: String, _ weights: any WeightSource
  ) -> String {
    prefixes.first { weights.shape(of: TensorName($0 + name)) != nil } ?? prefixes.first ?? ""
  }
}

extension VisionReader {
  /// The register tokens [1, rows, width]: their name, and how many `num_register_tokens` says.
  ///
  /// - Throws: if the weights have another number.
  func registers(
    _ name: TensorName, usual: Int, _ weights: any WeightSource
  ) throws -> (TensorName, Int) {
    let key = "num_register_tokens"
    let rows = try integer(key, usual, in: 0...1 << 10)
    if let shape = weights.shape(of: name), shape.count == 3, shape[1] != rows {
      throw config.error(
        "'\(key)' is \(rows), '\(name)' has \(shape[1]) rows",
        at: config[key]?.position ?? config.position)
    }
    return (name, rows)
  }
}
