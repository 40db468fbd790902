package import Files
package import Graph

/// A model whose files are held in memory, as they come out of an archive.
package struct ModelImage {
  let path: String
  let files: [String: MappedFile]
  let companions: [String: [UInt8]]

  /// - Parameters:
  ///   - path: a name for the model, for messages.
  ///   - companions: files beside the model that prepare inputs, by name.
  package init(path: String, files: [String: MappedFile], companions: [String: [UInt8]]) {
    self.path = path
    self.files = files
    self.companions = companions
  }

  /// Opens the model with the reader that opens it for the gate: what describes it, its graph, the
  /// places of its weights, and its tokenizer. Nothing is run, and no weight is looked at.
  ///
  /// - Throws: what is wrong with it; a safetensors file that Ingot did not write describes no model.
  package func open(as format: ModelFormat) throws -> Model {
    let model = try format.type.open(self)
    try model.checkTokenizer()
    return model
  }
}
