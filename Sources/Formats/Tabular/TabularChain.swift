package import Trees

/// Steps one after another over named features, as pipelines of scikit-learn have them.
///
/// Features come together in one vector, columns of categories as ones and zeros; every transform gives
/// the vector anew; the predictor, if there is one, reads it.
package struct TabularChain: Equatable, Sendable {
  package let source: Source
  /// Steps from a vector to a vector: scalers, imputers, normalizers, extractors.
  package let transforms: [TabularStep]
  /// Trees or a linear model; nil to give the vector.
  package let predictor: TabularStep?

  /// Where the vector comes from.
  package enum Source: Equatable, Sendable {
    case columns([Column])
    /// The dictionary of this name, whose keys are in this order.
    case dictionary(String, TreeLabels)
  }

  /// One feature.
  package struct Column: Equatable, Sendable {
    package let name: String
    package let encoding: Encoding

    package enum Encoding: Equatable, Sendable {
      case number
      /// A number that takes the place of a missing one: of NaN, and of numbers that mean it.
      case filled(Double, absent: [Double] = [])
      /// A number for each category: 1 for that of the row, else 0. An empty text means the category
      /// `filling`, where there is one.
      case oneHot(TreeLabels, TabularStep.Unknown, filling: String? = nil)
    }

    package init(_ name: String, _ encoding: Encoding = .number) {
      self.name = name
      self.encoding = encoding
    }
  }

  package init(_ source: Source, _ transforms: [TabularStep] = [], predictor: TabularStep? = nil) {
    self.source = source
    self.transforms = transforms
    self.predictor = predictor
  }

  /// The name of the vector between steps; coremltools uses it too.
  static let vector = "__feature_vector__"

  /// The Core ML model: a pipeline, or the predictor alone where it reads numbers as they are.
  ///
  /// - Parameter path: the file of the model, for messages.
  /// - Throws: what does not fit together.
  package func program(
    path: String, options: TabularOptions = TabularOptions()
  ) throws(TabularError) -> TabularProgram {
    let inputs = try inputs(options, at: TabularPlace(path))
    if transforms.isEmpty, let predictor, !predictor.isNetwork, case .columns = source,
      inputs.allSatisfy({ $0.width != nil }), !encodes
    {
      return try predict(predictor, inputs, options, options.metadata, path)
    }
    var programs = try vectorizers(inputs, path)
    for step in transforms {
      programs.append(try transform(step, programs, path))
    }
    if let predictor {
      let input = [last(programs)]
      programs.append(try predict(predictor, input, options, .init(), path))
    } else {
      programs.append(try named(options.output, programs.removeLast(), path))
    }
    return try pipeline(programs, inputs, options, path)
  }

  private var encodes: Bool {
    guard case .columns(let columns) = source else { return true }
    return columns.contains { $0.encoding != .number }
  }

  private func inputs(
    _ options: TabularOptions, at place: TabularPlace
  ) throws(TabularError) -> [TabularFeature] {
    switch source {
    case .dictionary(let name, let keys):
      return [TabularFeature(name, keys.dictionaryKind, text: options.texts[name] ?? "")]
    case .columns(let columns):
      let plain = try options.inputs(columns.map(\.name), at: place)
      return zip(columns, plain).map { column, input in
        guard case .oneHot(let labels, _, _) = column.encoding else { return input }
        return TabularFeature(input.name, labels.kind, text: input.text)
      }
    }
  }

  /// The steps that give the first vector.
  private func vectorizers(
    _ inputs: [TabularFeature], _ path: String
  ) throws(TabularError) -> [TabularProgram] {
    var parts = Parts(path)
    switch source {
    case .dictionary(_, let keys):
      try parts.append(.dictVectorizer(keys), .integerDictionary, to: inputs[0], keys.count)
    case .columns(let columns):
      for (column, input) in zip(columns, inputs) { try parts.append(column, input) }
    }
    return parts.programs + [
      try TabularProgram(
        path: path, inputs: parts.made.map(\.feature),
        outputs: [
          TabularFeature(
            TabularChain.vector, .array(parts.made.reduce(0) { $0 + $1.count }))
        ],
        step: .featureVectorizer(parts.made.map { .init($0.feature.name, $0.count) }))
    ]
  }

  private func last(_ programs: [TabularProgram]) -> TabularFeature {
    programs.last?.outputs.first ?? TabularFeature(TabularChain.vector, .array(1))
  }

  private func transform(
    _ step: TabularStep, _ programs: [TabularProgram], _ path: String
  ) throws(TabularError) -> TabularProgram {
    let input = last(programs)
    var kind = input.kind
    if case .arrayFeatureExtractor(let places) = step { kind = .array(places.count) }
    return try TabularProgram(
      path: path, inputs: [input], outputs: [TabularFeature(input.name, kind)], step: step)
  }

  private func predict(
    _ step: TabularStep, _ inputs: [TabularFeature], _ options: TabularOptions,
    _ metadata: TabularProgram.Metadata, _ path: String
  ) throws(TabularError) -> TabularProgram {
    switch step {
    case .treeClassifier(_, let labels):
      return try TabularProgram(
        path: path, inputs: inputs, classifier: step, labels: labels, name: options.output,
        metadata: metadata)
    case .linearClassifier(let linear):
      return try TabularProgram(
        path: path, inputs: inputs, classifier: step, labels: linear.labels, name: options.output,
        metadata: metadata)
    case .network(let network):
      return try TabularProgram(
        path: path, input: inputs[0], network: network, name: options.output, metadata: metadata)
    case .treeRegressor, .linearRegressor:
      return try TabularProgram(
        path: path, inputs: inputs, regressor: step, name: options.output, metadata: metadata)
    default: throw TabularPlace(path).fault("a \(step.word) predicts nothing")
    }
  }

  private func named(
    _ name: String, _ program: TabularProgram, _ path: String
  ) throws(TabularError) -> TabularProgram {
    try TabularProgram(
      path: path, inputs: program.inputs,
      outputs: program.outputs.map { TabularFeature(name, $0.kind) }, step: program.step)
  }

  private func pipeline(
    _ programs: [TabularProgram], _ inputs: [TabularFeature], _ options: TabularOptions,
    _ path: String
  ) throws(TabularError) -> TabularProgram {
    guard let last = programs.last else { throw TabularPlace(path).fault("has no steps") }
    let kind: TabularStep.Pipeline.Kind =
      last.predicted == nil ? .plain : last.labels == nil ? .regressor : .classifier
    let training = last.training.map { training in
      inputs.map { TabularFeature($0.name, $0.kind) } + training.suffix(1)
    }
    return try TabularProgram(
      path: path, inputs: inputs, outputs: last.outputs, predicted: last.predicted,
      probabilities: last.probabilities, step: .pipeline(.init(kind, programs)),
      training: training, metadata: options.metadata,
      specificationVersion: last.specificationVersion)
  }
}

/// The features of a vector, and the steps that make numbers of them.
private struct Parts {
  private let path: String
  private(set) var programs: [TabularProgram] = []
  /// In the order of the vector: what is read, and how many numbers it has.
  private(set) var made: [(feature: TabularFeature, count: Int)] = []

  init(_ path: String) { self.path = path }

  mutating func append(
    _ column: TabularChain.Column, _ input: TabularFeature
  ) throws(TabularError) {
    switch column.encoding {
    case .number: made.append((TabularFeature(input.name, input.kind), 1))
    case .filled(let value, let absent):
      var input = input
      for missing in absent + [.nan] {
        input = try add(.imputer(.double(value, missing: missing)), .double, to: input)
      }
      made.append((input, 1))
    case .oneHot(let labels, let unknown, let filling):
      var input = input
      if let filling {
        input = try add(.imputer(.string(filling, missing: "")), .string, to: input)
      }
      try append(
        .oneHotEncoder(labels, isSparse: true, unknown: unknown), .integerDictionary, to: input,
        labels.count)
    }
  }

  /// Adds a step of several numbers.
  mutating func append(
    _ step: TabularStep, _ kind: TabularFeature.Kind, to input: TabularFeature, _ count: Int
  ) throws(TabularError) {
    made.append((try add(step, kind, to: input), count))
  }

  /// Adds a step.
  ///
  /// - Returns: what it gives.
  private mutating func add(
    _ step: TabularStep, _ kind: TabularFeature.Kind, to input: TabularFeature
  ) throws(TabularError) -> TabularFeature {
    let isMade = programs.last?.outputs.first?.name == input.name
    let name = isMade ? input.name : "__\(input.name)_vector__"
    let output = TabularFeature(name, kind)
    programs.append(
      try TabularProgram(
        path: path, inputs: [TabularFeature(input.name, input.kind)], outputs: [output],
        step: step))
    return output
  }
}
