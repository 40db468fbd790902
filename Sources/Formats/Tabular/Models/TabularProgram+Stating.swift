import Files
import Graph
import Trees
import WeightCompression
import Weights

extension TabularProgram.Metadata {
  /// What a program that Ingot writes says of itself and of the model that it is made of.
  static func stating(
    _ model: Model, _ recipe: String, _ weights: some CompressedTensors,
    _ description: CoreMLDescription
  ) -> TabularProgram.Metadata {
    var metadata = TabularProgram.Metadata(
      text: description.summary ?? "", version: description.version ?? "",
      author: description.author ?? "", license: description.license ?? "",
      userDefined: description.notes)
    metadata.userDefined[TabularProgram.Key.recipe] = recipe
    metadata.userDefined[TabularProgram.Key.source] = model.digest.hex
    metadata.userDefined[TabularProgram.Key.calibration] = weights.calibration?.description
    return metadata
  }
}

extension TabularProgram {
  /// Bytes of the numbers of each planned weight: Core ML's classic models have doubles alone.
  static func storedBytes(of planned: [PlannedTensor]) -> [Int] {
    planned.map { $0.sharedWith == nil ? 8 * $0.reference.elementCount : 0 }
  }

  /// The model of arrays that a program gave.
  ///
  /// - Parameters:
  ///   - arrays: as `weights` made them.
  ///   - weights: the same with the digest of the files around them.
  static func model(of arrays: WeightCollection, _ weights: any WeightFile) throws -> Model {
    // A package has no file beside its model that a receipt could name.
    let described = files(arrays)
    let files = weights is TabularPackageWeights ? described.madeOfTheModel : described
    return try Model(
      origin: arrays.origin,
      architecture: try Architectures.recognise(
        files, weights: weights, programs: ModelFormat.programs),
      files: files, weights: weights,
      calibration: arrays.metadata[Key.calibration].flatMap { CalibrationRecord($0) },
      recipe: arrays.metadata[Key.recipe])
  }
}

extension ModelCarrier {
  /// One row of named numbers; of a classifier the label and a number for each.
  static func row(of architecture: any Architecture) -> ModelCarrier {
    let name = architecture.outputName
    var names = [name]
    if case .classes = architecture.output { names.append(name + "_probs") }
    return ModelCarrier(
      batch: 1, length: nil, imageType: "image", embeddingType: "float32", outputNames: names,
      featureType: architecture is ForestModel ? "float64" : nil, namesFeatures: true)
  }
}
