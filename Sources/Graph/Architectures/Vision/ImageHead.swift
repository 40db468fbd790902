import StrictJSON
import Weights

/// The head of what transformers calls `…ForImageClassification`: one layer from a vector to a number
/// for each label, and what these numbers mean.
///
/// Source: the file layout of Hugging Face transformers, and the numbers of its pipeline
/// `image-classification`.
struct ImageHead {
  let layer: VisionTransformer.Projection
  let task: ClassifierTask

  private static let name = "classifier"

  /// Nil for a model without a head.
  ///
  /// - Parameters:
  ///   - config: the whole file.
  ///   - className: the library's class of such models.
  ///   - prefix: the prefix before the names of the model's other weights.
  /// - Throws: for a head that the class does not have, and for a model under a head without a prefix,
  ///   in whose place the library would put random numbers.
  init?(
    _ config: JSONObject, className: String, prefix: String, _ weights: any WeightSource
  ) throws {
    let place = ModelError.weightsBeside(config.origin)
    let rows = weights.shape(of: TensorName("\(Self.name).weight"))?.first
    guard (config["architectures"]?.array ?? []).compactMap(\.string) == [className] else {
      guard rows == nil else {
        throw ModelError.unsupported(
          place: place, found: "'classifier.weight', the head of a classifier,",
          supported: "that of \(className), named under 'architectures'")
      }
      return nil
    }
    guard !prefix.isEmpty else {
      throw ModelError.unsupported(
        place: place, found: "a classifier's weights without a prefix before their names",
        supported: "those that save_pretrained of \(className) writes")
    }
    task = try ClassifierTask(config)
    guard rows == nil || rows == task.labels.count else {
      throw config.error(
        "there \(Figures.are(task.labels.count, "label")), '\(Self.name).weight' has \(rows ?? 0) rows",
        at: (config["id2label"] ?? config["num_labels"])?.position ?? config.position)
    }
    layer = VisionTransformer.Projection(name: Self.name, width: task.labels.count)
  }
}

extension VisionTransformer {
  /// The same with a head, and with the vector that the head takes.
  func classifying(_ head: ImageHead?, _ end: End) -> VisionTransformer {
    guard let head else { return self }
    var model = self
    (model.end, model.projection, model.task) = (end, head.layer, head.task)
    model.isUnit = false
    return model
  }
}
