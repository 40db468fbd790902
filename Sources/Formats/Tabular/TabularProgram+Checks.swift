import StrictJSON
import Trees

extension TabularProgram {
  /// Most numbers of an array.
  static let arrayLimit = 1_000_000
  /// Most numbers of a row, and most that all steps of a file make of one.
  static let numberLimit = 1 << 22
  /// Most pipelines in pipelines.
  static let depthLimit = 8

  /// Refuses what Core ML's own rules refuse, and what could not be run.
  func check(at place: TabularPlace) throws(TabularError) {
    guard (1...10).contains(specificationVersion) else {
      throw place.fault("has specification version \(specificationVersion), expected 1 to 10")
    }
    try check(inputs, "input", at: place)
    try check(outputs, "output", at: place)
    if let output = outputs.first(where: \.isOptional) {
      throw place.fault("output '\(output.name)' is optional; only inputs may be")
    }
    guard depth <= TabularProgram.depthLimit else {
      throw place.fault("has pipelines in pipelines, more than \(TabularProgram.depthLimit) deep")
    }
    try checkStep(at: place)
  }

  private func check(
    _ features: [TabularFeature], _ word: String, at place: TabularPlace
  ) throws(TabularError) {
    guard !features.isEmpty else { throw place.fault("has no \(word)s") }
    var seen: Set<String> = []
    for feature in features {
      guard !feature.name.isEmpty else { throw place.fault("has an \(word) without a name") }
      guard seen.insert(feature.name).inserted else {
        throw place.fault("has two \(word)s called '\(feature.name)'")
      }
      if case .array(let count) = feature.kind, !(1...TabularProgram.arrayLimit).contains(count) {
        throw place.fault(
          "\(word) '\(feature.name)' is \(feature.kind), expected 1 to \(TabularProgram.arrayLimit)"
        )
      }
    }
    let count = features.reduce(0) { $0 + ($1.width ?? 0) }
    guard count <= TabularProgram.numberLimit else {
      throw place.fault(
        "has \(features.count) \(word)s of \(count) numbers in all, expected at most "
          + "\(TabularProgram.numberLimit)")
    }
  }

  private var depth: Int {
    guard case .pipeline(let pipeline) = step else { return 0 }
    return 1 + (pipeline.programs.map(\.depth).max() ?? 0)
  }

  private func checkStep(at place: TabularPlace) throws(TabularError) {
    switch step {
    case .treeClassifier(let ensemble, let labels):
      try checkRow(ensemble.featureCount, at: place)
      try checkClassifier(labels, at: place)
      try ensemble.checkForCoreML(features: rowNames, labels: labels, at: place)
    case .treeRegressor(let ensemble):
      try checkRow(ensemble.featureCount, at: place)
      try checkRegressor(at: place)
      try ensemble.checkForCoreML(features: rowNames, labels: nil, at: place)
    case .linearClassifier(let linear):
      try linear.check(at: place)
      try checkRow(linear.weights[0].count, at: place)
      try checkClassifier(linear.labels, at: place)
    case .linearRegressor(let linear):
      try requireFinite(linear.weights + [linear.offset], "weights", at: place)
      try checkRow(linear.weights.count, at: place)
      try checkRegressor(at: place)
    case .network(let network):
      try network.check(self, at: place)
      if let labels = network.labels { try checkClassifier(labels, at: place) }
    case .pipeline(let pipeline): try check(pipeline, at: place)
    default: try checkTransform(at: place)
    }
  }

  /// Of each number of a row the input it comes from.
  private var rowNames: [String] {
    inputs.flatMap { input in
      input.width == 1
        ? [input.name] : (0..<(input.width ?? 0)).map { "\(input.name)[\($0)]" }
    }
  }

  /// Inputs of a predictor, one after another, are its row.
  private func checkRow(_ count: Int, at place: TabularPlace) throws(TabularError) {
    var found = 0
    for input in inputs {
      guard let width = input.width else {
        throw place.fault("input '\(input.name)' is \(input.kind), expected numbers")
      }
      found += width
    }
    guard found == count else {
      throw place.fault("the inputs have \(found) numbers, the model looks at \(count)")
    }
  }

  private func output(_ name: String?) -> TabularFeature? { outputs.first { $0.name == name } }

  /// - Parameter labels: nil where they are not known: of a pipeline.
  private func checkClassifier(_ labels: TreeLabels?, at place: TabularPlace) throws(TabularError) {
    guard let label = output(predicted) else {
      throw place.fault("no output is the predicted '\(predicted ?? "")'")
    }
    let kinds = labels.map { [$0.kind] } ?? [.string, .int64]
    guard kinds.contains(label.kind) else {
      throw place.fault("output '\(label.name)' is \(label.kind), expected \(kinds[0])")
    }
    if let repeated = labels?.repeated { throw place.fault("has the label '\(repeated)' twice") }
    guard let name = probabilities else {
      return try requireOutputs(1, at: place)
    }
    let kind: TabularFeature.Kind = label.kind == .string ? .textDictionary : .integerDictionary
    guard let found = output(name), found.kind == kind else {
      throw place.fault("no output is the probabilities '\(name)', \(kind)")
    }
    try requireOutputs(2, at: place)
  }

  private func requireOutputs(_ count: Int, at place: TabularPlace) throws(TabularError) {
    if case .pipeline = step { return }
    guard outputs.count == count else {
      throw place.fault("has \(Figures.count(outputs.count, "output")), expected \(count)")
    }
  }

  private func checkRegressor(at place: TabularPlace) throws(TabularError) {
    guard let number = output(predicted) else {
      throw place.fault("no output is the predicted '\(predicted ?? "")'")
    }
    guard number.kind == .double else {
      throw place.fault("output '\(number.name)' is \(number.kind), expected a double")
    }
    try requireOutputs(1, at: place)
  }

  /// Every program of a pipeline finds its inputs, exactly as they are.
  private func check(
    _ pipeline: TabularStep.Pipeline, at place: TabularPlace
  ) throws(TabularError) {
    let names = pipeline.names
    guard !pipeline.programs.isEmpty else { throw place.fault("has no steps") }
    guard names.isEmpty || Set(names).count == pipeline.programs.count,
      names.isEmpty || names.count == pipeline.programs.count
    else {
      throw place.fault(
        "has \(pipeline.programs.count) steps and the names \(names), expected one each")
    }
    switch pipeline.kind {
    case .plain: break
    case .classifier: try checkClassifier(nil, at: place)
    case .regressor: try checkRegressor(at: place)
    }
    var known: [String: TabularFeature.Kind] = [:]
    for input in inputs { known[input.name] = input.kind }
    for (number, program) in pipeline.programs.enumerated() {
      let place = place.within("step \(number) (\(program.step.word))")
      for input in program.inputs {
        try require(input, as: "input", known, at: place)
      }
      for output in program.outputs { known[output.name] = output.kind }
    }
    for output in outputs { try require(output, as: "output", known, at: place) }
  }

  private func require(
    _ feature: TabularFeature, as word: String, _ known: [String: TabularFeature.Kind],
    at place: TabularPlace
  ) throws(TabularError) {
    guard let kind = known[feature.name] else {
      if feature.isOptional { return }
      throw place.fault(
        "\(word) '\(feature.name)' is neither an input nor the output of an earlier step")
    }
    guard kind == feature.kind else {
      throw place.fault("\(word) '\(feature.name)' is \(feature.kind), but comes as \(kind)")
    }
  }
}

func requireFinite(
  _ numbers: [Double], _ word: String, at place: TabularPlace
) throws(TabularError) {
  if let number = numbers.first(where: { !$0.isFinite }) {
    throw place.fault("has \(number) among its \(word), which is not finite")
  }
}

extension LinearClassifier {
  fileprivate func check(at place: TabularPlace) throws(TabularError) {
    let expected =
      switch (encoding, labels.count) {
      case (_, ..<2): throw place.fault("has \(labels.count) labels, expected 2 or more")
      case (_, 2): 1
      case (.referenceClass, let count): count - 1
      case (.oneVersusRest, let count): count
      }
    guard weights.count == expected, offsets.count == expected else {
      throw place.fault(
        "has \(weights.count) rows of weights and \(offsets.count) offsets, "
          + "expected \(expected) for \(labels.count) labels")
    }
    for row in weights where row.count != weights[0].count {
      throw place.fault("has rows of \(weights[0].count) and of \(row.count) weights")
    }
    if link == .probit, labels.count != 2 {
      throw place.fault("has the link probit and \(labels.count) labels, expected 2")
    }
    for row in weights { try requireFinite(row, "weights", at: place) }
    try requireFinite(offsets, "offsets", at: place)
  }
}
