import Emission

/// A format that packaged models have.
package enum ModelFormat: String, CaseIterable, Sendable {
  /// One file that carries everything.
  case safetensors
  /// A folder for Core ML; a text's tokenizer lies beside it.
  case mlpackage

  /// Whether a model is a folder of files.
  package var isFolder: Bool { self == .mlpackage }

  /// The file of a folder that is held in memory to name the folder by it.
  static let namedFile = CoreMLDigest.modelPath
  /// Largest such file, in bytes.
  static let namedFileLimit = CoreMLDigest.modelLimit
  /// Name of a tokenizer beside a folder, and in receipts.
  static let tokenizerName = "tokenizer.json"
}
