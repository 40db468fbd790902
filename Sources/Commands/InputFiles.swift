import ArgumentParser
import Graph
import Inputs
import StrictJSON

/// The files of inputs that a command's options name; `-` is the standard input.
enum InputFiles {
  /// The forms of inputs and calibration sets, for help.
  static let forms = """
    JSON lines, CSV or TSV with a header, or plain lines of text; '.gz' of these, or '-' for stdin.
    """

  /// The forms of reference sets, for help: a plain line has no second side and no known output.
  static let referenceForms = """
    JSON lines, or CSV or TSV with a header: pairs for embeddings, as {"a": "…", "b": "…"}, samples \
    for everything else, as {"input": "…"}; '.gz' of these, or '-' for stdin. Not plain lines.
    """

  /// Refuses the standard input for two options: it is read once.
  static func requireOneStandardInput(_ options: [(name: String, value: String?)]) throws {
    let named = options.filter { $0.value == InputFile.standardInput }.map(\.name)
    guard named.count > 1 else { return }
    throw ValidationError(
      "\(named.joined(separator: " and ")) are both '-': stdin can be read once; give a file")
  }

  /// Reads a reference set and says how it was read.
  ///
  /// - Parameters:
  ///   - columns: of a table, those that are no features.
  ///   - model: for which a right line is shown where the set holds wrong ones.
  ///   - hintOfTable: what is said instead; nil for that line.
  static func references(
    _ argument: String, columns: NamedColumns = .none, for model: Model?,
    hintOfTable: String? = nil, _ console: Console
  ) throws -> ReferenceSet {
    let set = try explaining(hintOfTable ?? model.map(ExampleLine.referenceHint)) {
      try ReferenceSet(argument: argument, columns: columns)
    }
    if let decision = set.decision { console.note(decision) }
    return set
  }

  /// Reads inputs and says how they were read.
  ///
  /// - Parameter columns: of a table, those that are passed over.
  static func lines(
    _ argument: String, columns: NamedColumns = .none, for model: Model?, _ console: Console
  ) throws -> InputLines {
    let lines = try explaining(model.map(ExampleLine.inputHint)) {
      try InputLines(argument: argument, columns: columns)
    }
    if let decision = lines.decision { console.note(decision) }
    return lines
  }

  /// Does what may find that lines are not those of a model; shows a right line of references then.
  static func explainingReferences<Result>(
    for model: Model?, _ work: () throws -> Result
  ) throws -> Result {
    try explaining(model.map(ExampleLine.referenceHint), work)
  }

  /// The same with a right line of inputs.
  ///
  /// - Parameter canIgnore: whether the command has the option `--ignore`.
  static func explainingInputs<Result>(
    for model: Model?, canIgnore: Bool = false, _ work: () throws -> Result
  ) throws -> Result {
    try explaining(model.map(ExampleLine.inputHint)) {
      do {
        return try work()
      } catch let error as EvaluationError where canIgnore {
        guard let others = error.otherColumns else { throw error }
        throw Failure(
          message: error.description, hint: "leave out what is not a feature: \(ignoring(others))")
      }
    }
  }

  /// The option that passes columns over.
  static func ignoring(_ columns: [String]) -> String {
    "--ignore \(ShellWord.quoted(columns.joined(separator: ",")))"
  }

  /// What to do about a row of a table that the model does not take; nil for anything else.
  private static func fieldHint(_ error: EvaluationError) -> String? {
    guard case .unusableLine(let origin, _, _, _) = error, InputFile.isTable(named: origin) else {
      return nil
    }
    return "mend the row, or leave it out; an empty field is a missing value, which not every "
      + "feature takes"
  }

  private static func explaining<Result>(
    _ example: String?, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch let error as JSONError {
      throw Failure(message: error.description, hint: error.mend ?? example)
    } catch let error as EvaluationError where error.isOfLines {
      throw Failure(message: error.description, hint: fieldHint(error) ?? example)
    }
  }
}
