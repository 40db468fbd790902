package import Files
package import Graph
import Weights

/// A model whose files are held in memory, as they come out of an archive.
package struct ModelImage {
  private let path: String
  private let files: [String: MappedFile]
  private let companions: [String: [UInt8]]

  /// - Parameters:
  ///   - path: a name for the model, for messages.
  ///   - files: by their paths in the model's folder; of a single file, by the empty path.
  ///   - companions: files that prepare inputs and lie beside the model, by name.
  package init(path: String, files: [String: MappedFile], companions: [String: [UInt8]]) {
    self.path = path
    self.files = files
    self.companions = companions
  }

  /// Opens the model with the reader that opens it for the gate: what describes it, its graph, the
  /// places of its weights, and its tokenizer. Nothing is run, and no weight is looked at.
  ///
  /// - Throws: what is wrong with it; a safetensors file that Ingot did not write describes no model.
  package func open() throws -> Model {
    guard let file = files[""] else {
      let model = try CoreMLPackage.open(
        PackageFolder(files: PackageFiles(path: path, files: files)), origin: path,
        files: ModelFiles(carriedBy: Folder.parent(of: path), texts: companions)
      ).model
      try model.checkTokenizer()
      return model
    }
    let weights = try WeightCollection.open(safetensors: file)
    guard CompressedSafetensors.isCompressed(weights) else {
      throw EmissionError.malformed(path: path, fault: "nothing in it says which model it is")
    }
    let model = try CompressedSafetensors.model(of: weights)
    try model.checkTokenizer()
    return model
  }
}
