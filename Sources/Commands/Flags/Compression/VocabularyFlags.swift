import ArgumentParser
import Graph
import Inputs

/// Which tokens of a text encoder stay.
struct VocabularyFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Texts like those the app will see: tokens that none of them needs are dropped.",
      discussion: """
        As for 'embed --inputs'. The table of tokens and the tokenizer lose the rest; special tokens \
        and single bytes stay. Each of these texts is segmented by both tokenizers, and must give \
        the same tokens. The references are run with all tokens and with those that are left, so \
        the gate sees what dropping costs. The smaller tokenizer is part of what is written, and is \
        written beside a package.
        """,
      valueName: "file"))
  var keepTokens: String?

  /// A model without the tokens that the texts do not need; the model itself without the option.
  ///
  /// - Throws: as `VocabularyCorpus.reduce`.
  func reduced(_ model: Model, _ console: Console) throws -> Model {
    guard let keepTokens else { return model }
    let corpus = try VocabularyCorpus(argument: keepTokens)
    if let decision = corpus.decision { console.note(decision) }
    return try corpus.reduce(model)
  }
}
