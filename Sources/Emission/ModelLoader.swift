package import Graph
package import Weights
import Files

/// Opens whatever a user calls a model: a folder, a weight file, or something Ingot wrote.
package enum ModelLoader {
  /// Opens a model and checks that every weight its graph uses is there.
  ///
  /// - Parameters:
  ///   - files: what describes the inputs of a Core ML package, which has no place for a tokenizer;
  ///     the files beside it when nil.
  ///   - encoder: which encoder of a model that has several.
  package static func open(
    _ path: String, files: ModelFiles? = nil, encoder: EncoderKind? = nil
  ) throws -> Model {
    try choose(encoder, among: try encoders(of: path, files: files), of: path)
  }

  /// One of a model's encoders; the only one when none is asked for.
  package static func choose(
    _ encoder: EncoderKind?, among models: [Model], of path: String
  ) throws(ModelError) -> Model {
    guard let encoder else {
      guard models.count == 1 else { throw .severalEncoders(origin: path) }
      return models[0]
    }
    guard let model = models.first(where: { $0.architecture.encoder == encoder }) else {
      throw .noEncoder(
        origin: path, asked: encoder, found: models.compactMap(\.architecture.encoder))
    }
    return model
  }

  /// Opens every encoder of a model, image before text; one for a model that has no several.
  ///
  /// - Parameter files: as for `open`.
  package static func encoders(of path: String, files: ModelFiles? = nil) throws -> [Model] {
    guard CoreMLPackage.isMeant(path) else {
      return try encoders(of: try WeightCollection.open(path))
    }
    let model = try CoreMLPackage.model(
      of: path, files: files ?? ModelFiles(folder: Folder.parent(of: path)))
    return [model]
  }

  /// The models whose weights were opened.
  package static func encoders(of weights: WeightCollection) throws -> [Model] {
    let path = weights.origin
    if CompressedSafetensors.isCompressed(weights) {
      return [try CompressedSafetensors.model(of: weights)]
    }
    let folder = Folder.kind(of: path) == .folder ? path : Folder.parent(of: path)
    let files = ModelFiles(folder: folder)
    return try Architectures.encoders(files, weights: weights).map {
      try Model(origin: path, architecture: $0, files: files, weights: weights)
    }
  }
}
