import ArgumentParser
import Gate
import Graph
import Inputs

/// Outputs that the library made with which a model was trained, and the inputs they are of.
struct SourceCheckFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Outputs of --inputs made by the library the model was trained with: an .npy, one row each.",
      discussion: """
        The model as Ingot reads it runs on the same inputs first, and nothing else is done where it \
        gives something else (exit status 3). The receipt says so, or that nobody checked. Ten lines \
        of Python write both files: specs/examples/source-check.
        """,
      valueName: "vectors.npy"))
  var sourceCheck: String?

  @Option(
    help: ArgumentHelp(
      "The inputs of --source-check, as for 'embed --inputs'; '-' for stdin.", valueName: "file"))
  var inputs: String?

  /// Files that must not be written over.
  var files: [String] { [sourceCheck, inputs].compactMap(\.self) }

  /// Fails where one of the two is given without the other.
  func requirePair() throws {
    guard (sourceCheck == nil) != (inputs == nil) else { return }
    throw ValidationError(
      sourceCheck == nil
        ? "--inputs needs the outputs made of them: --source-check VECTORS.npy"
        : "--source-check needs the inputs that its rows are of: --inputs INPUTS.jsonl")
  }

  /// Runs the check, if one is asked for; nil when none is.
  ///
  /// - Parameters:
  ///   - path: the model, for messages.
  ///   - columns: of references, those that are no features, and of the inputs where these have them.
  ///   - areOfReferences: whether there are references that must have them.
  ///   - answer: told the finding of a disagreement before that is thrown.
  /// - Throws: `Failure` of status 3 where the model gives other outputs.
  func run(
    _ models: [Model], of path: String, columns: NamedColumns, areOfReferences: Bool, jobs: Int,
    _ console: Console, disagreeing answer: (SourceFinding) throws -> Void
  ) throws -> SourceFinding? {
    guard let sourceCheck, let inputs else { return nil }
    let finding = try SourceCheckFlags.finding(
      vectors: sourceCheck, inputs: inputs, columns: columns, areOfReferences: areOfReferences,
      models, jobs: jobs, console)
    try finding.require(of: path) { try answer(finding) }
    return finding
  }

  /// Compares models with a file of outputs, showing how far it is.
  static func finding(
    vectors: String, inputs: String, columns: NamedColumns, areOfReferences: Bool = false,
    _ models: [Model], jobs: Int, _ console: Console
  ) throws -> SourceFinding {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let check = try SourceCheck(
      vectors: vectors, argument: inputs, columns: columns, areOfReferences: areOfReferences)
    if let decision = check.decision { console.note(decision) }
    return try InputFiles.explainingInputs(for: models.first, canIgnore: true) {
      try check.run(models, jobs: jobs) {
        progress.show("running inputs", $0, of: $1)
      }
    }
  }
}

extension SourceFinding {
  /// One line for stdout.
  var text: String { "source check: \(words)\n" }

  /// Fails unless every row agrees.
  ///
  /// - Parameter answer: called before that.
  func require(of path: String, _ answer: () throws -> Void) throws {
    if isAgreed { return }
    try answer()
    let reasons = self.reasons(Flags.name)
    throw Failure(
      message: "\(path): \(reasons.first ?? "")", details: reasons.dropFirst().map { $0 },
      hint: "mend how the model is read before anything is made of it; its receipts would prove a "
        + "model that is another than was trained", status: .refused)
  }
}
