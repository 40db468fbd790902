import Graph
import Weights

/// The encoders of a CLIP model in a folder, the image encoder first.
func clipModels(_ folder: String) throws -> [Model] {
  let files = ModelFiles(folder: folder)
  let weights = try WeightCollection.open(folder + "/model.safetensors")
  return try Architectures.encoders(files, weights: weights).map {
    try Model(origin: folder, architecture: $0, files: files, weights: weights)
  }
}
