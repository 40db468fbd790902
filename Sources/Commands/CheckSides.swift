import Files
import Formats
import Gate
import Graph
import Inputs

/// Opens the two sides of a check.
struct CheckSides {
  /// The one encoder that is judged; all that there are when nil.
  let encoder: EncoderKind?
  /// The files that prepare the inputs of Core ML packages; found by themselves when nil.
  let files: ModelFiles?
  /// Text that goes before every text, instead of the models' own.
  let prompt: PromptChoice?
  /// How the vectors of tokens become one, where no file of a model says.
  let pooling: PoolingMode?

  /// Whether a path leads to outputs rather than to a model.
  static func isOutputs(_ path: String) -> Bool { path.hasSuffix(".npy") }

  func baseline(_ path: String) throws -> GateSide {
    if CheckSides.isOutputs(path) { return .outputs(try OutputMatrix(npy: path), path: path) }
    return .models(
      try chosen(among: try encoders(of: path, files), of: path))
  }

  /// - Parameter paths: of outputs, of a model, or of two encoders.
  func candidate(_ paths: [String], against baseline: GateSide) throws -> GateSide {
    if let path = paths.first, CheckSides.isOutputs(path) {
      return .outputs(try OutputMatrix(npy: path), path: path)
    }
    let models = try paths.flatMap { path in
      try chosen(
        among: try encoders(of: path, try files ?? prepared(path, like: baseline.models)),
        of: path)
    }
    // The gate takes them as people list them: image before text.
    return .models(models.sorted { $0.isImageEncoder && !$1.isImageEncoder })
  }

  /// A package holds its prompt and pooling; of any other model those that were asked for are taken.
  private func encoders(of path: String, _ files: ModelFiles?) throws -> [Model] {
    let isFolder = ModelFormat.meant(by: path) != nil
    return try ModelLoader.encoders(
      of: path, files: files, prompt: isFolder ? nil : prompt,
      pooling: isFolder ? nil : pooling,
      requested: encoder)
  }

  private func chosen(among models: [Model], of path: String) throws -> [Model] {
    guard let encoder, models.contains(where: { $0.architecture.encoder != nil }) else {
      return models
    }
    return [try ModelLoader.choose(encoder, among: models, of: path)]
  }

  /// The files that prepare the inputs of a package: those beside it that ship with it, or those of
  /// the same encoder of the baseline; nil for any other model, which has its own.
  private func prepared(_ path: String, like baselines: [Model]) throws -> ModelFiles? {
    guard let format = ModelFormat.meant(by: path)?.folder else { return nil }
    let bare = try ModelLoader.open(path, files: ModelFiles(carriedBy: path, texts: [:]))
    let model = baselines.first { $0.isImageEncoder == bare.isImageEncoder }
    let folder = Folder.parent(of: path)
    let texts = try model.map(format.companionFiles) ?? [:]
    let names = model == nil ? format.companions : Array(texts.keys)
    let areBeside = names.contains { Folder.kind(of: Folder.join(folder, $0)) != .missing }
    guard let model, !areBeside else { return ModelFiles(folder: folder) }
    var all = texts
    for name in format.promptFiles { all[name] = try model.files.bytes(of: name) }
    return ModelFiles(carriedBy: model.files.origin, texts: all)
  }
}

extension Model {
  fileprivate var isImageEncoder: Bool {
    if case .image = architecture.input { true } else { false }
  }
}
