import ArgumentParser
import Gate
import Graph
import Inputs
import StrictJSON

/// Which limits the gate holds a model to.
struct GateFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      strict, standard (the default) or lenient, and single limits: standard,cosine-mean=0.98
      """,
      discussion: """
        \(Limits.Key.help)
        The verdict names each limit that is not the profile's own: 'passed standard, weakened: \
        cosine mean 0.98'.
        """,
      valueName: "profile,limit=number"))
  var limits: String?

  @Option(
    help: ArgumentHelp(
      "Similarity at which the app decides; pairs that cross it are counted as flips.",
      valueName: "similarity"))
  var threshold: Double?

  @Option(
    help: ArgumentHelp(
      "The column of a CSV or TSV of features that has the true label of each line.",
      discussion: """
        For classifiers: the verdict says how often both models are right, and how well they know it. \
        In JSON lines the key is 'label', beside 'input'.
        """,
      valueName: "column"))
  var label: String?

  @Option(
    help: ArgumentHelp(
      "A column of such a table that is not a feature, and is left out; again for more, or a,b,c.",
      valueName: "column"))
  var ignore: [String] = []

  @Flag(
    help: """
      Say that fewer than \(ReferenceSet.fewestLines) distinct references are meant; they prove little.
      """)
  var fewReferences = false

  /// Refuses options that only references give a meaning.
  ///
  /// - Parameter hasInputs: whether there are inputs of a source check, whose columns may be named.
  func requireNone(hasInputs: Bool) throws {
    guard limits == nil, threshold == nil else {
      throw ValidationError("--limits and --threshold need --references to be judged against")
    }
    guard hasInputs || label == nil && ignore.isEmpty else {
      throw ValidationError("--label and --ignore are for --references and --inputs")
    }
    guard !fewReferences else { throw ValidationError("--few-references is for --references") }
  }

  func value() throws -> Limits {
    guard let limits else { return try Limits() }
    return try LimitsWords.read(limits)
  }

  /// The gate that these flags ask for.
  func gate(
    on references: ReferenceSet, source: SourceFinding?, allowsOtherPreparation: Bool = false,
    jobs: Int
  ) throws -> Gate {
    Gate(
      on: references, try value(), threshold: threshold, agreements: source?.agreements ?? [],
      allowsOtherPreparation: allowsOtherPreparation, jobs: jobs)
  }

  /// Says the warnings of a verdict.
  func warn(of verdict: Verdict, source: SourceFinding?, _ console: Console) {
    for notice in verdict.notices {
      let advice = notice.thresholdAdvice
      console.warn(notice.sentence, details: advice?.details ?? [], hint: GateFlags.hint(advice))
    }
    // A source check says more about the model than outcomes do.
    if source == nil, let caution = verdict.known?.caution(Flags.name) { console.warn(caution) }
  }

  /// Reads a reference set, with what is said of it.
  func references(
    _ argument: String, for model: Model?, _ console: Console
  ) throws -> ReferenceSet {
    // What is not a number in a table is mostly in a column that is not a feature.
    var hint: String?
    if case .features = model?.architecture.input, InputFile.isTable(named: argument) {
      hint =
        "a column that is not a feature is left out with --ignore; --label names the one that has true "
        + "labels"
    }
    var set = try InputFiles.references(
      argument, columns: columns, for: model, hintOfTable: hint, console)
    set.isFewMeant = fewReferences
    return set
  }

  /// Columns that are no features.
  var columns: NamedColumns {
    NamedColumns(label: label, ignoring: ignore)
  }

  /// Looks, before anything is compressed, whether references can prove something of encoders.
  func check(_ encoders: [Model], of models: [Model], _ references: ReferenceSet) throws {
    try explaining(for: encoders.first) {
      try Gate.check(
        baseline: models, candidate: encoders, on: references, limits: value(), threshold: threshold
      )
    }
  }

  /// Says, where references are too few, what can be done about it.
  func explaining<Result>(
    for model: Model?, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try InputFiles.explainingReferences(for: model) {
        try explainingColumns(work)
      }
    } catch let error as EvaluationError {
      guard case .fewReferences = error else { throw error }
      throw Failure(
        message: error.description,
        hint: "add inputs like those the app will see, or say that so few are meant: "
          + "--few-references")
    }
  }

  /// Says how columns that are no features are left out.
  private func explainingColumns<Result>(_ work: () throws -> Result) throws -> Result {
    do {
      return try work()
    } catch let error as EvaluationError {
      if case .unlabelled = error {
        throw Failure(
          message: error.description,
          hint:
            "name the column of a table that has true labels: --label COLUMN; in JSON lines the "
            + "key is 'label', beside 'input'; or leave the limit out of --limits")
      }
      if case .unknownLabel = error {
        throw Failure(
          message: error.description,
          hint: "write true labels as the model does, letter by letter, or leave the label empty; "
            + "--label names another column of a table")
      }
      if let hint = advice(on: error) { throw Failure(message: error.description, hint: hint) }
      guard let others = error.otherColumns else { throw error }
      throw Failure(
        message: error.description,
        hint:
          "leave out what is not a feature: \(InputFiles.ignoring(others)); or name the column of true "
          + "labels: --label \(ShellWord.quoted(others[0]))")
    }
  }

  /// What to do where a feature of the model is a column that is read as something else; nil otherwise.
  private func advice(on error: EvaluationError) -> String? {
    guard case .otherColumns(_, let columns, let features) = error else { return nil }
    if let label, features.contains(label) {
      let others = columns.filter { !features.contains($0) }
      return "'\(label)' is a feature of the model; --label names the column that has true labels"
        + (others.isEmpty ? "" : ", as \(Figures.list(others))")
    }
    let known = ["output", "outcome"].filter { features.contains($0) && !columns.contains($0) }
    guard let name = known.first else { return nil }
    return
      "a column '\(name)' has what is known of the output; a feature of that name is given in JSON lines: "
      + "{\"input\": {\"\(name)\": 0.5, …}}"
  }

  private static func hint(_ advice: ThresholdAdvice?) -> String? {
    switch advice {
    case .missing: "give the similarity at which the app decides: --threshold 0.5"
    case .misses: "look at these lines, or give the threshold that the app uses: --threshold"
    case nil: nil
    }
  }

  func validate() throws {
    _ = try value()
    if let threshold, !threshold.isFinite {
      throw ValidationError("--threshold \(threshold) is no finite number")
    }
  }
}
