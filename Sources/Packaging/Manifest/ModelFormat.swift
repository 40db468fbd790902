import Formats

/// A format that packaged models have.
package enum ModelFormat: String, CaseIterable, Sendable {
  /// One file that carries everything.
  case safetensors
  /// A folder for Core ML; what prepares its inputs lies beside it.
  case mlpackage

  /// Whether a model is a folder of files.
  package var isFolder: Bool { self == .mlpackage }

  /// The file of a folder that is held in memory to name the folder by it.
  static let namedFile = CoreMLDigest.modelPath
  /// Largest such file, in bytes.
  static let namedFileLimit = CoreMLDigest.modelLimit
  /// Names of the files that may lie beside a folder, and in its receipt.
  package static let companions = CoreMLPackage.companionFiles

  /// What a file is that lies beside a folder.
  static func role(ofCompanion name: String) -> FileEntry.Role {
    name == CoreMLPackage.tokenizerFile ? .tokenizer : .preprocessing
  }
}
