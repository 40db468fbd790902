package import Graph
package import Weights

/// Whether a model of a format is one file or a folder of files.
package enum FormatKind: Sendable {
  case file(FileFormat)
  case folder(FolderFormat)
}

/// The rules of a format whose models are single files of weights, known by what is in them.
package struct FileFormat: Sendable {
  /// The weights of a file that only this format reads; nil for any other.
  ///
  /// - Throws: what is wrong with a file that is called as those of this format are.
  package let read: @Sendable (_ path: String) throws -> WeightCollection?
  /// How many of a file's first bytes say what model it holds; the rest are numbers.
  ///
  /// - Parameter start: the first bytes, none at first; asked again with as many as it said.
  package let headByteCount: @Sendable (_ start: [UInt8]) -> Int
  /// Whether a file of weights is a model of this format.
  package let isWritten: @Sendable (_ weights: WeightCollection) -> Bool
  /// The model of a file that `isWritten`.
  ///
  /// - Parameter prompt: goes before every text, instead of the one it was written with.
  package let model:
    @Sendable (_ weights: WeightCollection, _ prompt: PromptChoice?) throws -> Model
  /// The facts that a file of this format (`isWritten`) states of itself.
  package let facts: @Sendable (_ weights: WeightCollection) throws -> ModelFacts
}

/// The rules of a format whose models are folders of files.
///
/// Such a model carries the digest of its receipt in one of its files, which counts without it when
/// the model is named.
package struct FolderFormat: Sendable {
  /// Whether a path names a folder of this format, or one that is called like it.
  package let isMeant: @Sendable (_ path: String) -> Bool
  /// Whether the folder at a path may be replaced by a model of this format.
  package let isReplaceable: @Sendable (_ path: String) -> Bool
  /// Opens a folder that `isMeant`.
  ///
  /// - Parameter files: what describes its inputs.
  package let open: @Sendable (_ path: String, _ files: ModelFiles) throws -> Model
  /// The contents of a folder that `isMeant`, to be shown and compared.
  package let inspect: @Sendable (_ path: String, _ files: ModelFiles) throws -> FolderInspection
  /// The file that names the receipt, by its path in the folder.
  package let namedFile: String
  /// Largest such file that is read, in bytes.
  package let namedFileLimit: Int
  /// Names of the files that may be beside the folder and prepare its inputs.
  package let companions: [String]
  /// The one of them that turns texts into tokens.
  package let tokenizer: String
  /// Names of the files that say what goes before a text; folders of Ingot's hold that themselves.
  package let promptFiles: [String]
  /// The companions of a model, by their names, from its own files.
  package let companionFiles: @Sendable (_ model: Model) throws -> [String: [UInt8]]
  /// The digest by which a receipt names a folder.
  ///
  /// - Parameters:
  ///   - files: paths in the folder, and digests.
  ///   - named: the bytes of the file at `namedFile`.
  package let digest:
    @Sendable (
      _ files: [(name: String, digest: ContentDigest)], _ named: [UInt8]
    ) throws -> ContentDigest
  /// The digest of the receipt that the bytes of `namedFile` name, if they do.
  package let receipt: @Sendable (_ named: [UInt8]) throws -> String?
  /// The bytes of `namedFile` with the digest of a receipt.
  let naming: @Sendable (_ receipt: ContentDigest, _ named: [UInt8]) throws -> [UInt8]
}
