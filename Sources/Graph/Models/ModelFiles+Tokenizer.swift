package import Tokenization

extension ModelFiles {
  /// The tokenizer's files in one of the folders.
  ///
  /// - Parameter folder: seen from the model's; empty for that itself.
  package func tokenizerFiles(in folder: String) throws -> TokenizerFiles {
    try TokenizerFiles { name in
      let path = folder.isEmpty ? name.rawValue : "\(folder)/\(name.rawValue)"
      return try bytes(of: path).map { .init(origin: self.name(of: path), bytes: $0) }
    }
  }
}
