import Graph
import Proving

extension CompressCommand {
  /// The trained tokenizer for beside a model that has fewer tokens; nil if it has all, and, with a
  /// note, if it is not beside a model that lost them before.
  ///
  /// - Parameter trained: the model that is compressed, all its encoders.
  func wholeTokenizer(
    _ trained: [Model], _ part: Prover.Part, _ console: Console
  ) throws -> WholeTokenizerFile? {
    guard part.model.vocabulary != nil,
      let own = trained.first(where: {
        $0.architecture.encoder == part.model.architecture.encoder
      })
    else { return nil }
    guard part.model.keptTokens != nil else {
      let file = try WholeTokenizerFile(besideReduced: own, at: model)
      if file == nil {
        console.note(
          "'\(WholeTokenizerFile.path(beside: model))' is not there: 'embed' will not find texts that "
            + "need dropped tokens")
      }
      return file
    }
    if let before = own.vocabulary {
      console.warn(
        "\(model) \(before.words) already: 'embed' will find texts that need a token dropped now, "
          + "and none that need one dropped before",
        hint: "drop all of them at once, from the model as trained")
    }
    return try WholeTokenizerFile(of: own)
  }
}
