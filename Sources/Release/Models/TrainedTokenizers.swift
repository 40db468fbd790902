import Files
import Formats
import Graph
import Packaging
package import Weights

/// The trained tokenizers of models with fewer tokens, in an output folder: by them `embed` finds texts
/// that need dropped tokens. No package holds them.
///
/// Each lies under the digest of the model that it belongs to, once for all customers.
package enum TrainedTokenizers {
  /// The folder in an output folder.
  package static let folder = "all-tokens"

  /// The name in that folder.
  ///
  /// - Parameter model: digest of the model with fewer tokens, as its receipt names it.
  package static func name(for model: ContentDigest) -> String { "\(model.hex).zst" }
}

extension OutputFolder {
  /// Puts the tokenizer of a model as trained where `embed` finds it for the model that was written;
  /// replaces another one.
  ///
  /// - Throws: `FileError`, and if the files of the tokenizer are malformed.
  func put(tokenizerOf trained: Model, for written: EmittedModel) throws {
    let folder = inside(TrainedTokenizers.folder)
    try OutputFolder.requireOwn(folder)
    try Folder.create(folder)
    try put(
      try ZstdText.compress(try trained.wholeTokenizerText()),
      at: Folder.join(TrainedTokenizers.folder, TrainedTokenizers.name(for: written.digest)))
  }
}
