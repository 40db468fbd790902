import Trees

extension TabularProgram {
  /// Runs one row, as Core ML's text describes each model; numbers are doubles.
  ///
  /// - Parameters:
  ///   - values: of each input by its name. An optional double that is not there is missing.
  ///   - path: the file, for messages.
  /// - Returns: a value for each output by its name.
  /// - Throws: an input that is not there or of another kind, a category that is not known.
  package func run(
    _ values: [String: TabularValue], path: String
  ) throws(TabularError) -> [String: TabularValue] {
    try run(values, at: TabularPlace(path))
  }

  private func run(
    _ values: [String: TabularValue], at place: TabularPlace
  ) throws(TabularError) -> [String: TabularValue] {
    var found: [TabularValue] = []
    for input in inputs { found.append(try value(of: input, in: values, at: place)) }
    if case .pipeline(let pipeline) = step { return try run(pipeline, found, at: place) }
    if let labels { return classified(try scores(found), labels) }
    if case .network(let network) = step {
      return [network.output: .array(network.sums(of: found.flatMap { $0.numbers ?? [] }))]
    }
    if predicted != nil {
      return [outputs[0].name: .double(try number(found))]
    }
    return [
      outputs[0].name: try TabularTransform(step, inputs, outputs[0].kind, place).apply(to: found)
    ]
  }

  private func value(
    of input: TabularFeature, in values: [String: TabularValue], at place: TabularPlace
  ) throws(TabularError) -> TabularValue {
    guard let value = values[input.name] else {
      if input.isOptional, input.kind == .double { return .double(.nan) }
      throw place.fault("input '\(input.name)' is not given")
    }
    guard value.kind == input.kind else {
      throw place.fault("input '\(input.name)' is \(value.kind), expected \(input.kind)")
    }
    return value
  }

  private func run(
    _ pipeline: TabularStep.Pipeline, _ values: [TabularValue], at place: TabularPlace
  ) throws(TabularError) -> [String: TabularValue] {
    var known: [String: TabularValue] = [:]
    for (input, value) in zip(inputs, values) { known[input.name] = value }
    for (number, program) in pipeline.programs.enumerated() {
      let place = place.within("step \(number) (\(program.step.word))")
      known.merge(try program.run(known, at: place)) { $1 }
    }
    var results: [String: TabularValue] = [:]
    for output in outputs {
      guard let value = known[output.name] else {
        throw place.fault("output '\(output.name)' was not given")
      }
      results[output.name] = value
    }
    return results
  }

  /// Of each label, or of two the second.
  private func scores(_ values: [TabularValue]) throws(TabularError) -> [Double] {
    let row = values.flatMap { $0.numbers ?? [] }
    switch step {
    case .treeClassifier(let ensemble, _): return ensemble.outputs(of: row)
    case .linearClassifier(let linear): return linear.scores(of: row)
    case .network(let network):
      guard case .linearClassifier(let linear) = network.linear else { return [] }
      return linear.scores(of: row)
    default: return []
    }
  }

  private func number(_ values: [TabularValue]) throws(TabularError) -> Double {
    let row = values.flatMap { $0.numbers ?? [] }
    switch step {
    case .treeRegressor(let ensemble): return ensemble.outputs(of: row)[0]
    case .linearRegressor(let linear): return linear.output(of: row)
    default: return .nan
    }
  }

  /// The label of the largest score, the first of equal ones; of two labels the second above one half.
  private func classified(_ scores: [Double], _ labels: TreeLabels) -> [String: TabularValue] {
    let scores = scores.count == 1 ? [1 - scores[0], scores[0]] : scores
    var best = 0
    for place in scores.indices where scores[place] > scores[best] { best = place }
    var results: [String: TabularValue] = [:]
    switch labels {
    case .texts(let texts):
      results[predicted ?? ""] = .string(texts[best])
      if let probabilities {
        results[probabilities] = .textDictionary(
          Dictionary(zip(texts, scores), uniquingKeysWith: { first, _ in first }))
      }
    case .integers(let numbers):
      results[predicted ?? ""] = .int64(numbers[best])
      if let probabilities {
        results[probabilities] = .integerDictionary(
          Dictionary(zip(numbers, scores), uniquingKeysWith: { first, _ in first }))
      }
    }
    return results
  }
}
