import Trees

/// What a file may not ask of a table, whatever its steps are.
extension TabularTable {
  /// Rows of Ingot's have doubles, which need not be whole.
  static func wholeNumber(_ name: String, at place: TabularPlace) -> TabularError {
    place.fault(
      "takes the number '\(name)' as an int64, which Ingot runs for categories alone; make that input a double"
    )
  }

  /// Refuses steps that would take far more memory than their file.
  static func checkSize(
    _ steps: [(TabularProgram, TabularPlace)], at place: TabularPlace
  ) throws(TabularError) {
    let counts = steps.dropLast().map { step, _ in
      if case .oneHotEncoder(let labels, _, _) = step.step { return labels.count }
      if case .dictVectorizer(let labels) = step.step { return labels.count }
      return step.outputs.reduce(0) { $0 + ($1.width ?? 0) }
    }
    let count = counts.reduce(0, +)
    guard count <= TabularProgram.numberLimit else {
      throw place.fault(
        "has \(counts.count) steps of up to \(counts.max() ?? 0) numbers, \(count) in all, and at most "
          + "\(TabularProgram.numberLimit) are read; leave out numbers that the model does not look at, or join scalers"
      )
    }
  }

  /// Refuses a pipeline that gives something else than its last step does.
  static func requireOutputs(
    _ program: TabularProgram, of last: TabularProgram, at place: TabularPlace
  ) throws(TabularError) {
    let names = last.outputs.map(\.name)
    if let other = program.outputs.first(where: { !names.contains($0.name) }) {
      throw place.fault(
        "gives '\(other.name)', which is not of its last step (\(last.step.word)): that gives \(names)"
      )
    }
    if let predicted = program.predicted, predicted != last.predicted ?? names[0] {
      throw place.fault(
        "predicts '\(predicted)', its last step (\(last.step.word)) '\(last.predicted ?? names[0])'"
      )
    }
    if let probabilities = program.probabilities, probabilities != last.probabilities {
      throw place.fault(
        "has the probabilities '\(probabilities)', its last step (\(last.step.word)) "
          + "'\(last.probabilities ?? "none")'")
    }
  }
}
