import ArgumentParser
import Files
import Formats
import Graph

/// Where the files are that prepare inputs of a Core ML package, which has no place for them.
struct TokenizerFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What prepares the inputs of a Core ML package: tokenizer.json, or the folder it is in.",
      discussion: """
        A folder may also hold preprocessor_config.json, processor_config.json or \
        open_clip_config.json, which say how images are prepared. Without the option the files \
        beside the package are taken.
        """,
      valueName: "path"))
  var tokenizer: String?

  /// The files to open a model with; nil without the option.
  ///
  /// - Parameter paths: of the models; one of them must be a package.
  func files(for paths: [String]) throws -> ModelFiles? {
    guard let tokenizer else { return nil }
    guard paths.contains(where: { ModelFormat.meant(by: $0) != nil }) else {
      let nouns = ModelFormat.allCases.filter { !$0.companions.isEmpty }
        .map { "\($0.type.noun)s" }.joined(separator: " and ")
      throw Failure(
        message: "--tokenizer is for \(nouns), every other model has its own",
        hint: "leave it out")
    }
    if Folder.kind(of: tokenizer) == .folder { return ModelFiles(folder: tokenizer) }
    let known = ModelFormat.companions(of: ModelFormat.allCases)
    guard known.contains(Folder.name(of: tokenizer)) else {
      let names = known.map { "'\($0)'" }
      throw Failure(
        message: "\(tokenizer): is not called \(names.dropLast().joined(separator: ", ")) or "
          + (names.last ?? ""))
    }
    return ModelFiles(folder: Folder.parent(of: tokenizer))
  }
}
