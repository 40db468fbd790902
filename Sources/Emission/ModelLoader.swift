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
    _ path: String, files: ModelFiles? = nil, encoder: EncoderKind? = nil,
    prompt: PromptChoice? = nil
  ) throws -> Model {
    try choose(encoder, among: try encoders(of: path, files: files, prompt: prompt), of: path)
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
  /// - Parameters:
  ///   - files: as for `open`.
  ///   - prompt: goes before every text, instead of the model's default.
  package static func encoders(
    of path: String, files: ModelFiles? = nil, prompt: PromptChoice? = nil
  ) throws -> [Model] {
    guard CoreMLPackage.isMeant(path) else {
      return try encoders(of: try ModelWeights.open(path), prompt: prompt)
    }
    guard prompt == nil else {
      throw ModelError.promptNotTaken(
        origin: path, reason: "a package holds the prompt that it was made with")
    }
    let model = try CoreMLPackage.model(
      of: path, files: files ?? ModelFiles(folder: Folder.parent(of: path)))
    return [model]
  }

  /// The models whose weights were opened.
  package static func encoders(
    of weights: WeightCollection, prompt: PromptChoice? = nil
  ) throws -> [Model] {
    let models = try encodersOfFiles(weights, prompt)
    guard prompt == nil || models.contains(where: { $0.architecture.prompts != nil }) else {
      throw ModelError.promptNotTaken(
        origin: weights.origin, reason: "the model takes no texts with prompts")
    }
    return models
  }

  private static func encodersOfFiles(
    _ weights: WeightCollection, _ prompt: PromptChoice?
  ) throws -> [Model] {
    let path = weights.origin
    if CompressedSafetensors.isCompressed(weights) {
      return [try CompressedSafetensors.model(of: weights, prompt: prompt)]
    }
    let folder = Folder.kind(of: path) == .folder ? path : Folder.parent(of: path)
    let files = try ModelFiles(folder: folder).choosing(prompt)
    return try Architectures.encoders(files, weights: weights).map {
      try Model(origin: path, architecture: $0, files: files, weights: weights)
    }
  }
}
