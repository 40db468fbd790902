import Graph
import StrictJSON
import Tokenization

/// Compares what the files of both sides say to those who use a model, which no vector of a reference
/// shows: prompts of other names, how vectors are compared, and which class reads the tokenizer.
enum StatementAudit {
  /// The first statement that is not the baseline's; nil if there is none, and for packages, which
  /// hold the one prompt that was chosen and nothing else of this.
  static func difference(of new: Model, from old: Model) -> PreparationDifference.Kind? {
    if let ours = new.architecture.prompts, let theirs = old.architecture.prompts,
      let prompt = difference(of: ours, from: theirs)
    {
      return prompt
    }
    guard let ours = new.architecture.usage, let theirs = old.architecture.usage else { return nil }
    if ExactString(ours.similarity) != ExactString(theirs.similarity) {
      return .stated(
        key: "similarity_fn_name", found: quoted(ours.similarity),
        expected: quoted(theirs.similarity))
    }
    guard let ourChoice = ours.includesPrompt, let theirChoice = theirs.includesPrompt,
      ourChoice != theirChoice
    else { return nil }
    return .stated(key: "include_prompt", found: "\(ourChoice)", expected: "\(theirChoice)")
  }

  /// The first prompt by its name that has another text. A prompt of the user's own is chosen on the
  /// command line, and a warning says so.
  private static func difference(
    of new: Prompts, from old: Prompts
  ) -> PreparationDifference.Kind? {
    for name in Set((new.choices + old.choices).map(\.name)).sorted() where name != Prompts.ownName
    {
      let found = new.choices.first { $0.name == name }
      let expected = old.choices.first { $0.name == name }
      guard found != expected else { continue }
      return .stated(
        key: "prompts.\(name)", found: found.map { quoted($0.text) } ?? "missing",
        expected: expected.map { quoted($0.text) } ?? "missing")
    }
    return nil
  }

  /// What a package says of its tokenizer, where the baseline's `config.json` says otherwise.
  static func facts(of new: Model, from old: Model) throws -> PreparationDifference.Kind? {
    guard new.architecture.notes[TokenizerFiles.factsKey] != nil else { return nil }
    let ours = try new.tokenizerFacts(), theirs = try old.tokenizerFacts()
    return ours == theirs
      ? nil : .stated(key: TokenizerFiles.factsKey, found: ours, expected: theirs)
  }
}

extension Model {
  /// The tokenizer's settings in `config.json`.
  fileprivate func tokenizerFacts() throws -> String {
    TokenizerFiles.file(
      of: try files.tokenizerFiles(in: architecture.tokenizerFolder).modelFacts()
    ).compact
  }
}
