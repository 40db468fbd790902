import Files
import StrictJSON
package import Weights

/// Opens the weights of a file or folder.
package enum ModelWeights {
  /// The weights of a file or a folder. Of a folder that sentence-transformers saved, those of
  /// every module: the transformer's under their own names, others prefixed with their folder.
  ///
  /// - Throws: `WeightsError`, and errors of reading `modules.json`.
  package static func open(_ path: String) throws -> WeightCollection {
    guard Folder.kind(of: path) == .folder else { return try WeightCollection.open(path) }
    let files = ModelFiles(folder: path)
    guard let entries = try SentenceModules.entries(files),
      let transformer = entries.first(where: { $0.kind == .transformer })
    else { return try WeightCollection.open(path, savedBy: library(of: files)) }
    let others = entries.filter { $0.kind?.hasWeights == true && !$0.path.isEmpty }
    func part(_ entry: SentenceModuleEntry, _ library: SavingLibrary) throws -> WeightCollection {
      try WeightCollection.open(
        entry.path.isEmpty ? path : Folder.join(path, entry.path), savedBy: library)
    }
    let first = try part(transformer, .transformers)
    if transformer.path.isEmpty && others.isEmpty { return first }
    return try .joining(
      path,
      [(prefix: "", weights: first)]
        + others.map { (prefix: $0.path + ".", weights: try part($0, .sentenceTransformers)) })
  }

  /// The library whose rules say which file of a folder holds the weights of a model; nil for dense
  /// models, for OpenCLIP's, and for folders that are not models.
  private static func library(of files: ModelFiles) -> SavingLibrary? {
    do {
      guard try files.bytes(of: OpenClip.configName) == nil,
        let type = try files.object("config.json")?["model_type"]?.string
      else { return nil }
      let isRead = Architectures.all.contains { $0.name == type && $0.modelTypes.contains(type) }
      return isRead ? .transformers : nil
    } catch {
      // An unreadable file is reported when the model is described.
      return nil
    }
  }
}

extension SentenceModuleEntry.Kind {
  /// Whether a module behind the pooling has weights.
  fileprivate var hasWeights: Bool { self == .dense || self == .layerNorm }
}
