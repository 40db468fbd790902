package import Graph
package import Weights
import Files

/// Opens whatever a user calls a model: a folder, a weight file, or something Ingot wrote.
package enum ModelLoader {
  /// Opens a model and checks that every weight its graph uses is there.
  ///
  /// - Parameter files: what describes the inputs of a Core ML package, which has no place for a
  ///   tokenizer; the files beside it when nil.
  package static func open(_ path: String, files: ModelFiles? = nil) throws -> Model {
    guard CoreMLPackage.isMeant(path) else {
      return try model(of: try WeightCollection.open(path))
    }
    return try CoreMLPackage.model(
      of: path, files: files ?? ModelFiles(folder: Folder.parent(of: path)))
  }

  /// The model whose weights were opened.
  package static func model(of weights: WeightCollection) throws -> Model {
    let path = weights.origin
    if CompressedSafetensors.isCompressed(weights) {
      return try CompressedSafetensors.model(of: weights)
    }
    let folder = Folder.kind(of: path) == .folder ? path : Folder.parent(of: path)
    let files = ModelFiles(folder: folder)
    return try Model(
      origin: path, architecture: try Architectures.recognise(files, weights: weights),
      files: files, weights: weights)
  }
}
