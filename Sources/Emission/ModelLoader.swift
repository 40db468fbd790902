package import Graph
import Files
import Weights

/// Opens whatever a user calls a model: a folder, a weight file, or something Ingot wrote.
package enum ModelLoader {
  /// Opens a model and checks that every weight its graph uses is there.
  package static func open(_ path: String) throws -> Model {
    let weights = try WeightCollection.open(path)
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
