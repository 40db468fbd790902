import Files
package import Weights

/// Opens the weights of whatever lies at a path.
package enum ModelWeights {
  /// The weights of a file or a folder. Of a folder that sentence-transformers saved, those of every
  /// module: the transformer's under their own names, the others with the module's folder before.
  ///
  /// - Throws: `WeightsError`, and whatever `modules.json` is at fault in.
  package static func open(_ path: String) throws -> WeightCollection {
    guard Folder.kind(of: path) == .folder,
      let entries = try SentenceModules.entries(ModelFiles(folder: path)),
      let transformer = entries.first(where: { $0.kind == .transformer })
    else { return try WeightCollection.open(path) }
    let others = entries.filter { $0.kind?.hasWeights == true && !$0.path.isEmpty }
    if transformer.path.isEmpty && others.isEmpty { return try WeightCollection.open(path) }
    func part(_ entry: SentenceModuleEntry) throws -> WeightCollection {
      try WeightCollection.open(entry.path.isEmpty ? path : Folder.join(path, entry.path))
    }
    return try .joining(
      path,
      [(prefix: "", weights: try part(transformer))]
        + others.map { (prefix: $0.path + ".", weights: try part($0)) })
  }
}

extension SentenceModuleEntry.Kind {
  /// Whether a module behind the pooling has weights.
  fileprivate var hasWeights: Bool { self == .dense || self == .layerNorm }
}
