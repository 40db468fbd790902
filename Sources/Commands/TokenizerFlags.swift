import ArgumentParser
import Emission
import Files
import Graph

/// Where the tokenizer of a Core ML package is, which has no place for one.
struct TokenizerFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "tokenizer.json of a Core ML package, or the folder it is in; beside the package by default.",
      valueName: "path"))
  var tokenizer: String?

  /// The files to open a model with; nil without the option.
  func files() throws -> ModelFiles? {
    guard let tokenizer else { return nil }
    if Folder.kind(of: tokenizer) == .folder { return ModelFiles(folder: tokenizer) }
    let bytes = try MappedFile.contents(of: tokenizer, limit: ModelFiles.sizeLimit)
    return ModelFiles(carriedBy: tokenizer, texts: [CoreMLPackage.tokenizerFile: bytes])
  }
}
