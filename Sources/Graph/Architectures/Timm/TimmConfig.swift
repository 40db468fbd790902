import Imaging
package import StrictJSON
import Weights

/// Reads timm's `config.json`, as `timm.models.save_for_hf` writes it, or transformers' `TimmWrapper`
/// around such a model.
struct TimmConfig {
  static let name = "config.json"

  let root: JSONObject
  /// The model's name without the tag of its weights: `mobilenetv3_small_100`.
  let architecture: String
  /// Rows and columns of the image.
  let size: (width: Int, height: Int)
  let normalisation: PixelNormalisation

  /// - Returns: nil if the file is not timm's.
  /// - Throws: `JSONError` naming a key that is not known, or a value that is not supported;
  ///   `ModelError` for a model of a family that is not read.
  init?(_ files: ModelFiles) throws {
    guard let root = try files.timmConfig(), root.has("architecture") else { return nil }
    self.root = root
    let isWrapped = root["model_type"]?.string == Self.wrapper
    try (isWrapped ? TimmKeys.wrapped : TimmKeys.plain).check(root)
    architecture = String(
      try root.string("architecture").split(separator: ".", maxSplits: 1).first ?? "")
    guard TimmFamilies.names.contains(architecture) else {
      throw ModelError.unsupported(
        place: "\(root.origin): 'architecture'", found: "'\(architecture)'",
        supported: TimmFamilies.names.joined(separator: ", "))
    }
    if root.has("model_args") { try TimmKeys.arguments.check(root.object("model_args")) }
    let processor = try ImageProcessor(timm: root)
    size = (processor.width, processor.height)
    normalisation = try PixelNormalisation(timm: root.object("pretrained_cfg"))
  }

  /// `model_type` of transformers' wrapper.
  static let wrapper = "timm_wrapper"

  /// Whether transformers saved the model without its head; the number of classes stays in the file.
  private var lacksHead: Bool {
    (root["architectures"]?.array ?? []).compactMap(\.string) == ["TimmWrapperModel"]
  }

  /// The head; nil for a model of features.
  func classifier() throws -> TimmClassifier? {
    let count = try classes()
    return count == 0 ? nil : TimmClassifier(labels: try labels(count), count: count)
  }

  /// Whether the file names the classes of the head.
  var hasLabels: Bool { root.has("label_names") }

  /// Classes of the head; 0 for a model of features.
  func classes() throws -> Int {
    if lacksHead { return 0 }
    let key = "num_classes"
    if root.has(key) { return try root.integer(key, in: 0...1 << 20) }
    let pretrained = try root.object("pretrained_cfg")
    return pretrained.has(key) ? try pretrained.integer(key, in: 0...1 << 20) : 1000
  }

  /// The labels of the head: `label_names`, or the numbers of the classes.
  private func labels(_ count: Int) throws -> ClassLabels {
    guard hasLabels else { return .integers(Array(0..<count)) }
    let nodes = try root.array("label_names")
    let names = nodes.compactMap(\.string)
    guard names.count == nodes.count, Set(names).count == count else {
      throw root.error(
        "'label_names' has \(Figures.count(nodes.count, "label")), expected \(count) different texts",
        at: try root.required("label_names").position)
    }
    return .texts(names)
  }
}

/// The head of a model of timm: classes and their labels.
struct TimmClassifier: Sendable {
  let labels: ClassLabels
  let count: Int
}

/// The families of timm's models.
enum TimmFamilies {
  /// Every model's name that is known, without the tag of its weights.
  static let names = MobileNetVariant.names + FastVitVariant.names
}

extension ModelFiles {
  /// timm's `config.json`; nil without one, and for that of another library.
  package func timmConfig() throws -> JSONObject? {
    guard let root = try object(TimmConfig.name), root.has("pretrained_cfg") else { return nil }
    return root
  }
}

/// The known keys of timm's `config.json`.
enum TimmKeys {
  private static let understood = [
    "architecture", "num_classes", "pretrained_cfg", "model_args", "label_names",
  ]
  private static let harmless = [
    "num_features": "the width of the features, which the weights have",
    "label_descriptions": "longer names of the labels",
  ]
  private static let neutral: [String: [JSONValue]] = ["global_pool": ["avg"]]

  static let plain = KeyRules(
    understood: understood, harmless: harmless, neutral: neutral, nullable: .of(["label_names"]))

  static let wrapped = KeyRules(
    understood: understood + ["model_type"], harmless: harmless + TransformersKeys.harmless,
    neutral: neutral.merging(["do_pooling": [true]]) { first, _ in first },
    nullable: .of(["label_names", "model_args"]))

  static let arguments = KeyRules(
    understood: [],
    harmless: [
      "num_classes": "the number beside it counts",
      "inference_mode": "which weights there are, which they tell themselves",
      "drop_rate": "matters in training alone", "drop_path_rate": "matters in training alone",
    ],
    neutral: ["in_chans": [3], "global_pool": ["avg"]])
}

extension PixelNormalisation {
  /// Reads `pretrained_cfg` of timm's `config.json`.
  init(timm config: JSONObject) throws(JSONError) {
    self.init(
      factor: 1.0 / 255, mean: try PixelNormalisation.planes("mean", config) ?? TimmImages.mean,
      deviation: try PixelNormalisation.deviations("std", config) ?? TimmImages.deviation)
  }
}
