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
  ///
  /// - Parameter paths: of the models; one of them must be a package.
  func files(for paths: [String]) throws -> ModelFiles? {
    guard let tokenizer else { return nil }
    guard paths.contains(where: CoreMLPackage.isMeant) else {
      throw Failure(
        message: "--tokenizer is for Core ML packages, every other model has its own",
        hint: "leave it out")
    }
    if Folder.kind(of: tokenizer) == .folder { return ModelFiles(folder: tokenizer) }
    guard Folder.name(of: tokenizer) == CoreMLPackage.tokenizerFile else {
      throw Failure(message: "\(tokenizer): is not called '\(CoreMLPackage.tokenizerFile)'")
    }
    return ModelFiles(folder: Folder.parent(of: tokenizer))
  }
}
