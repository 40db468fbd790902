import ArgumentParser
import Formats
import Graph

/// Which encoder of a model that has two.
struct EncoderFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Of a model with two encoders (CLIP) the one meant, image or text.",
      discussion: """
        The encoders share one folder and one space of embeddings, and each ships as a file or \
        package of its own. A file that Ingot made of one is that one, and needs no --encoder.
        """,
      valueName: "image|text"))
  var encoder: String?

  @OptionGroup var prompt: PromptFlags
  @OptionGroup var pooling: PoolingFlags

  var kind: EncoderKind? { encoder.flatMap(EncoderKind.init) }

  /// Opens a model: the encoder that is meant, and all there are.
  ///
  /// - Throws: `ModelError.severalEncoders` when there are several and none is meant.
  func open(
    _ path: String, files: ModelFiles? = nil
  ) throws -> (chosen: Model, all: [Model]) {
    let all = try ModelLoader.encoders(
      of: path, files: files, prompt: prompt.choice, pooling: pooling.choice, requested: kind)
    return (try ModelLoader.choose(kind, among: all, of: path), all)
  }

  /// Opens a model: the encoders that are meant, every one where none is named, and all there are.
  ///
  /// - Throws: `ModelError.noEncoder`, and errors from opening.
  func openEach(
    _ path: String, files: ModelFiles? = nil
  ) throws -> (meant: [Model], all: [Model]) {
    let all = try ModelLoader.encoders(
      of: path, files: files, prompt: prompt.choice, pooling: pooling.choice, requested: kind)
    guard kind == nil, all.count > 1 else {
      return ([try ModelLoader.choose(kind, among: all, of: path)], all)
    }
    for model in all { try model.checkTokenizer() }
    return (all, all)
  }

  func validate() throws {
    guard let encoder, kind == nil else { return }
    let known = EncoderKind.allCases.map(\.rawValue).joined(separator: " or ")
    throw ValidationError("--encoder '\(encoder)' is not \(known)")
  }
}
