package import Files
import StrictJSON
package import Trees
package import Weights

/// Files in which libraries save ensembles of trees, opened as the arrays of one.
package enum TreeFiles {
  /// Bytes that tell the libraries apart.
  private static let startByteCount = 4096
  /// The key of a collection's metadata under which the description lies.
  private static let descriptionKey = "trees.description"

  /// The arrays of a library's file, or of a folder with one as `model.json`, or with plain arrays; nil for
  /// anything else.
  ///
  /// - Throws: `TreeError`, `FileError`.
  package static func open(_ path: String) throws -> WeightCollection? {
    guard Folder.kind(of: path) == .folder else { return try openFile(path) }
    let described = Folder.join(path, TreeDescription.fileName)
    return try openFile(described) ?? openArrays(path, described)
  }

  private static func openFile(_ path: String) throws -> WeightCollection? {
    guard Folder.kind(of: path) == .file else { return nil }
    let file = try MappedFile(path: path)
    let start = file.start(startByteCount)
    guard let library = TreeLibraries.all.first(where: { $0.recognises(start) }) else { return nil }
    let model = try library.read(file)
    file.letGo(of: 0..<file.byteCount)
    return try collection(model, path, [file])
  }

  /// Arrays that `model.json` describes node by node, as scikit-learn has them.
  private static func openArrays(_ path: String, _ described: String) throws -> WeightCollection? {
    // A file that cannot be read is reported when the model is described.
    guard let model = try? ModelFiles(folder: path).object(TreeDescription.fileName),
      model["architecture"]?.string == ArrayTrees.name
    else { return nil }
    let stored = try WeightCollection.open(path)
    let trees = try ArrayTrees.read(model) { name in
      let plain = TensorName(name.hasSuffix(".npy") ? String(name.dropLast(4)) : name)
      guard let tensor = stored[plain] else {
        throw ModelError.missingWeight(origin: described, name: plain)
      }
      return TreeArray(shape: tensor.shape, values: try tensor.doubles())
    }
    return try collection(trees, path, stored.sources + [try MappedFile(path: described)])
  }

  /// The arrays of a model that was read from files.
  ///
  /// - Parameters:
  ///   - path: the file or folder, for messages.
  ///   - stated: what the files say besides, by key.
  /// - Throws: `TreeError` for what cannot be kept.
  package static func collection(
    _ model: TreeModel, _ path: String, _ sources: [MappedFile],
    stating stated: [String: String] = [:]
  ) throws -> WeightCollection {
    try model.ensemble.requireStorable(path)
    let header = model.ensemble.header
    let arrays = TreeArrays.allCases.map { array in
      let name = TensorName(array.tensorName)
      let shape = array.shape(header)
      let values = model.ensemble.values(of: array)
      return switch array {
      case .thresholds, .leaves: MemoryArray(name, shape, values)
      default: MemoryArray(name, shape, integers: values.map { Int32($0) })
      }
    }
    return try WeightCollection(
      origin: path, format: "trees of \(model.library)",
      metadata: stated.merging([descriptionKey: TreeDescription(model).text]) { _, own in own },
      arrays: arrays, sources: sources)
  }

  /// The files that describe the model of a collection, with what a library's file says itself.
  package static func describing(
    _ weights: WeightCollection, _ files: ModelFiles
  ) -> ModelFiles {
    guard let text = weights.metadata[descriptionKey] else { return files }
    return files.replacing(TreeDescription.fileName, by: Array(text.utf8))
  }
}
