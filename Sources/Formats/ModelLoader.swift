package import Graph
package import Weights
import Files

/// Opens a model of any form: a folder, a weight file, or something Ingot wrote.
package enum ModelLoader {
  /// Opens a model and checks that every weight its graph uses is there.
  ///
  /// - Parameters:
  ///   - files: what describes the inputs of a Core ML package, which has no place for a tokenizer;
  ///     the files beside it when nil.
  ///   - encoder: which encoder of a model that has several.
  package static func open(
    _ path: String, files: ModelFiles? = nil, encoder: EncoderKind? = nil,
    prompt: PromptChoice? = nil, pooling: PoolingMode? = nil
  ) throws -> Model {
    try choose(
      encoder,
      among: try encoders(
        of: path, files: files, prompt: prompt, pooling: pooling, requested: encoder), of: path)
  }

  /// One of a model's encoders; the only one when none is asked for.
  package static func choose(
    _ encoder: EncoderKind?, among models: [Model], of path: String
  ) throws -> Model {
    guard let encoder else {
      guard models.count == 1 else { throw ModelError.severalEncoders(origin: path) }
      return models[0]
    }
    guard let model = models.first(where: { $0.architecture.encoder == encoder }) else {
      throw ModelError.noEncoder(
        origin: path, requested: encoder, found: models.compactMap(\.architecture.encoder))
    }
    try model.checkTokenizer()
    return model
  }

  /// Opens every encoder of a model, image before text; one for a model that has no several.
  ///
  /// - Parameters:
  ///   - files: as for `open`.
  ///   - prompt: goes before every text, instead of the model's default.
  ///   - pooling: how the vectors of tokens become one, where no file of the model says.
  ///   - requested: the only one that is wanted; another may be left out where what it needs is not there.
  package static func encoders(
    of path: String, files: ModelFiles? = nil, prompt: PromptChoice? = nil,
    pooling: PoolingMode? = nil, requested: EncoderKind? = nil
  ) throws -> [Model] {
    guard let folder = ModelFormat.meant(by: path)?.folder else {
      let files = Folder.kind(of: path) == .folder ? ModelFiles(folder: path) : nil
      return try encoders(
        of: try weights(of: path, describedBy: files), describedBy: files, prompt: prompt,
        pooling: pooling, requested: requested)
    }
    guard pooling == nil else {
      throw ModelError.poolingNotTaken(
        origin: path, reason: "a package holds the pooling that it was made with")
    }
    guard prompt == nil else {
      throw ModelError.promptNotTaken(
        origin: path, reason: "a package holds the prompt that it was made with")
    }
    let model = try folder.open(path, files ?? ModelFiles(folder: Folder.parent(of: path)))
    try model.checkTokenizer()
    return [model]
  }

  /// The weights of a file or a folder that is no model of a format of folders.
  ///
  /// - Parameter files: those of the folder, which may have been read.
  /// - Throws: what is wrong with them.
  package static func weights(
    of path: String, describedBy files: ModelFiles? = nil
  ) throws -> WeightCollection {
    for format in ModelFormat.allCases {
      if let weights = try format.file?.read(path) { return weights }
    }
    return try ModelWeights.open(path, describedBy: files)
  }

  /// The models whose weights were opened.
  ///
  /// - Parameter files: those of the weights' folder, which may have been read.
  package static func encoders(
    of weights: WeightCollection, describedBy files: ModelFiles? = nil, prompt: PromptChoice? = nil,
    pooling: PoolingMode? = nil,
    requested: EncoderKind? = nil
  ) throws -> [Model] {
    let models = try encodersOfFiles(weights, files, prompt, pooling, requested)
    if let pooling { try require(pooling, of: models, weights.origin) }
    guard prompt == nil || models.contains(where: { $0.architecture.prompts != nil }) else {
      throw ModelError.promptNotTaken(
        origin: weights.origin, reason: "the model takes no texts with prompts")
    }
    // Of several encoders the one that is chosen is checked: images need no tokenizer.
    if models.count == 1 { try models[0].checkTokenizer() }
    return models
  }

  private static func encodersOfFiles(
    _ weights: WeightCollection, _ known: ModelFiles?, _ prompt: PromptChoice?,
    _ pooling: PoolingMode?, _ requested: EncoderKind?
  ) throws -> [Model] {
    let path = weights.origin
    if let format = ModelFormat.written(weights) { return [try format.model(weights, prompt)] }
    let given =
      known ?? ModelFiles(folder: Folder.kind(of: path) == .folder ? path : Folder.parent(of: path))
    let files = try TreeFiles.describing(weights, given).choosing(prompt)
      .choosing(pooling: pooling)
    return try Architectures.encoders(
      files, weights: weights, requested: requested, programs: ModelFormat.programs
    ).map {
      let model = try Model(origin: path, architecture: $0, files: files, weights: weights)
      try StatedPrecision.check(model, weights)
      return model
    }
  }

  /// Refuses a pooling that is another than the model's own.
  private static func require(
    _ pooling: PoolingMode, of models: [Model], _ origin: String
  ) throws(ModelError) {
    for model in models where !model.architecture.pools(by: pooling) {
      let own = model.architecture.poolingWords
      throw .poolingNotTaken(
        origin: origin,
        reason: own.map { "the model's own files say that its pooling is \($0)" }
          ?? "the model has no vectors of tokens to be pooled")
    }
  }
}
