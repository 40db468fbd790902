package import Files
import StrictJSON
package import Trees
package import Weights

/// Files in which libraries save ensembles of trees and pipelines around them, opened as their arrays.
package enum TreeFiles {
  /// Bytes that tell the libraries apart.
  private static let startByteCount = 4096
  /// The key of a collection's metadata under which the description lies.
  private static let descriptionKey = "trees.description"
  /// The key under which lies what people should know of how a file was read.
  private static let noteKey = "trees.note"

  /// The arrays of a library's file, or of a folder with one, or with plain arrays; nil for anything else.
  ///
  /// - Parameter files: those of the folder.
  /// - Throws: `TreeError`, `FileError`.
  package static func open(
    _ path: String, _ files: ModelFiles? = nil
  ) throws -> WeightCollection? {
    guard Folder.kind(of: path) == .folder else { return try openFile(path) }
    let described = Folder.join(path, TreeDescription.fileName)
    if Folder.kind(of: described) != .missing {
      return try openFile(described)
        ?? openArrays(path, described, files ?? ModelFiles(folder: path))
    }
    guard let file = try onlyFile(of: path) else { return nil }
    return try openFile(file)
  }

  /// Files by which another kind of model is known.
  private static let otherModels = ["config.json", "modules.json", "open_clip_config.json"]

  /// The file of a library in a folder that has no other model; nil without one.
  ///
  /// - Throws: `TreeError` of two, which names both.
  private static func onlyFile(of folder: String) throws -> String? {
    let names = try Folder.names(in: folder)
    let isOther =
      WeightCollection.isReadable(among: names) || names.contains(where: otherModels.contains)
    guard !isOther else { return nil }
    var found: [String] = []
    for name in names where name.utf8.first != UInt8(ascii: ".") {
      let path = Folder.join(folder, name)
      guard Folder.kind(of: path) == .file, try library(of: MappedFile(path: path)) != nil
      else { continue }
      found.append(name)
    }
    guard found.count < 2 else {
      throw TreeError(
        path: folder,
        fault:
          "holds \(found.count) models, '\(found[0])' and '\(found[1])'; name the file itself, or "
          + "keep one in the folder")
    }
    return found.first.map { Folder.join(folder, $0) }
  }

  private static func library(of file: MappedFile) -> (any TreeLibrary.Type)? {
    let start = file.start(startByteCount)
    return TreeLibraries.all.first { $0.recognises(start) }
  }

  private static func openFile(_ path: String) throws -> WeightCollection? {
    guard Folder.kind(of: path) == .file else { return nil }
    let file = try MappedFile(path: path)
    guard let library = library(of: file) else { return nil }
    let model = try library.open(file)
    file.letGo(of: 0..<file.byteCount)
    switch model {
    case .trees(let trees): return try collection(trees, path, [file])
    case .layers(let layers): return try collection(layers, path, [file])
    case .table(let table): return try collection(table, path, [file])
    }
  }

  /// Arrays that `model.json` describes node by node, as scikit-learn has them.
  private static func openArrays(
    _ path: String, _ described: String, _ files: ModelFiles
  ) throws -> WeightCollection? {
    // A file that cannot be read is reported when the model is described.
    guard let model = try? files.object(TreeDescription.fileName),
      model["architecture"]?.string == ArrayTrees.name
    else { return nil }
    let stored = try WeightCollection.open(path)
    let trees = try ArrayTrees.read(model) { name in
      let plain = TensorName(name.hasSuffix(".npy") ? String(name.dropLast(4)) : name)
      guard let tensor = stored[plain] else {
        throw ModelError.missingWeight(origin: described, name: plain)
      }
      return TreeArray(shape: tensor.shape) { try tensor.doubles() }
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
    var metadata = stated
    metadata[descriptionKey] = try text(TreeDescription(model).json, model.features, path)
    metadata[noteKey] = model.note
    return try WeightCollection(
      origin: path, format: "trees of \(model.library)", metadata: metadata,
      arrays: try arrays(of: model.ensemble, "trees", path), sources: sources)
  }

  /// The arrays of linear layers.
  private static func collection(
    _ layers: TableLayers, _ path: String, _ sources: [MappedFile]
  ) throws -> WeightCollection {
    let dense = DenseDescription(layers)
    return try WeightCollection(
      origin: path, format: "a pipeline of \(layers.library)",
      metadata: [
        descriptionKey: try text(dense.json, layers.features.compactMap { TreeFeature($0) }, path)
      ], arrays: dense.arrays, sources: sources)
  }

  /// The arrays of steps, and of the trees among them.
  private static func collection(
    _ table: Table, _ path: String, _ sources: [MappedFile]
  ) throws -> WeightCollection {
    let numbers = table.arrays.map {
      MemoryArray(TensorName($0.name), $0.shape, $0.values.map(Double.init))
    }
    let trees = try table.trees.flatMap { try arrays(of: $0.ensemble, $0.step, path) }
    return try WeightCollection(
      origin: path, format: "a pipeline of \(table.program.library)",
      metadata: [
        descriptionKey: try text(TableDescription.json(table.program), table.program.inputs, path)
      ], arrays: numbers + trees, sources: sources)
  }

  /// The text of a description, which is read again as any `model.json` is, within the same limit.
  ///
  /// - Parameter path: the file that has the features, for messages.
  private static func text(
    _ description: JSONValue, _ features: [TreeFeature], _ path: String
  ) throws(TreeError) -> String {
    let (count, limit) = (description.valueCount, JSONParser.Limits().values)
    guard count <= limit else {
      let names = features.reduce(0) { $0 + $1.kind.names.count }
      throw TreeError(
        path: path,
        fault:
          "has \(features.count) features with \(names) names of categories, which take \(count) values of "
          + "JSON to describe, at most \(limit) are read; train with fewer columns, without those that no tree "
          + "looks at")
    }
    return description.pretty
  }

  /// What people should know of how a library's file was read; nil where there is nothing to say.
  package static func note(_ weights: WeightCollection) -> String? { weights.metadata[noteKey] }

  /// - Parameter name: what the names of the arrays begin with.
  private static func arrays(
    of ensemble: TreeEnsemble, _ name: String, _ path: String
  ) throws(TreeError) -> [MemoryArray] {
    try ensemble.requireStorable(path)
    let header = ensemble.header
    return TreeArrays.allCases.map { array in
      let name = TensorName(array.tensorName(of: name))
      let shape = array.shape(header)
      let values = ensemble.values(of: array)
      return switch array {
      case .thresholds, .leaves: MemoryArray(name, shape, values)
      default: MemoryArray(name, shape, integers: values.map { Int32($0) })
      }
    }
  }

  /// The files that describe the model of a collection, with what a library's file says itself.
  package static func describing(
    _ weights: WeightCollection, _ files: ModelFiles
  ) -> ModelFiles {
    guard let text = weights.metadata[descriptionKey] else { return files }
    return files.replacing(TreeDescription.fileName, by: Array(text.utf8))
  }
}
