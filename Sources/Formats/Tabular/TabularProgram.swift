package import Trees

/// A classic Core ML model over named inputs: trees, a linear model, a step before these, or a pipeline.
///
/// A value is sound: inputs suit the step, every step of a pipeline finds its inputs, and every number
/// is finite. It is written as the bytes of a `.mlmodel`, read back, and run.
package struct TabularProgram: Equatable, Sendable {
  package let inputs: [TabularFeature]
  package let outputs: [TabularFeature]
  /// The output that is the prediction, label or number; nil if the program only transforms.
  package let predicted: String?
  /// The output with a number for each label.
  package let probabilities: String?
  package let step: TabularStep
  /// What further training on a device takes; nil where there is none.
  package let training: [TabularFeature]?
  package let metadata: Metadata
  /// The version of Core ML's format, 1...10; 1 holds everything that is written.
  package let specificationVersion: Int

  /// What a model says about itself.
  package struct Metadata: Equatable, Sendable {
    package var text: String
    package var version: String
    package var author: String
    package var license: String
    package var userDefined: [String: String]

    package init(
      text: String = "", version: String = "", author: String = "", license: String = "",
      userDefined: [String: String] = [:]
    ) {
      self.text = text
      self.version = version
      self.author = author
      self.license = license
      self.userDefined = userDefined
    }
  }

  /// - Parameter path: the file, for messages.
  /// - Throws: what does not fit together.
  package init(
    path: String, inputs: [TabularFeature], outputs: [TabularFeature], predicted: String? = nil,
    probabilities: String? = nil, step: TabularStep, training: [TabularFeature]? = nil,
    metadata: Metadata = Metadata(),
    specificationVersion: Int = 1
  ) throws(TabularError) {
    try self.init(
      at: TabularPlace(path), inputs: inputs, outputs: outputs, predicted: predicted,
      probabilities: probabilities, step: step, training: training, metadata: metadata,
      specificationVersion: specificationVersion)
  }

  init(
    at place: TabularPlace, inputs: [TabularFeature], outputs: [TabularFeature],
    predicted: String?, probabilities: String?, step: TabularStep,
    training: [TabularFeature]? = nil, metadata: Metadata,
    specificationVersion: Int
  ) throws(TabularError) {
    self.inputs = inputs
    self.outputs = outputs
    self.predicted = predicted
    self.probabilities = probabilities
    self.step = step
    self.training = training
    self.metadata = metadata
    self.specificationVersion = specificationVersion
    try check(at: place)
  }

  /// A classifier with outputs `name` and `name_probs`.
  package init(
    path: String, inputs: [TabularFeature], classifier step: TabularStep, labels: TreeLabels,
    name: String, metadata: Metadata = Metadata()
  ) throws(TabularError) {
    try self.init(
      path: path, inputs: inputs,
      outputs: [
        TabularFeature(name, labels.kind), TabularFeature(name + "_probs", labels.dictionaryKind),
      ],
      predicted: name, probabilities: name + "_probs", step: step, metadata: metadata)
  }

  /// A regressor with the output `name`.
  package init(
    path: String, inputs: [TabularFeature], regressor step: TabularStep, name: String,
    metadata: Metadata = Metadata()
  ) throws(TabularError) {
    try self.init(
      path: path, inputs: inputs, outputs: [TabularFeature(name, .double)], predicted: name,
      step: step, metadata: metadata)
  }

  /// A linear model that devices train further, with the outputs that coremltools gives it.
  ///
  /// - Parameter name: of the label, or of the number.
  package init(
    path: String, input: TabularFeature, network: LinearNetwork, name: String,
    metadata: Metadata = Metadata()
  ) throws(TabularError) {
    let output: TabularFeature
    var target = TabularFeature(LinearNetwork.target(of: network.output), .array(1))
    if let labels = network.labels {
      output = TabularFeature(network.output, labels.dictionaryKind)
      target = TabularFeature(name, labels.kind)
    } else {
      output = TabularFeature(network.output, .array(1))
    }
    try self.init(
      path: path, inputs: [input],
      outputs: network.labels == nil ? [output] : [output, target],
      predicted: network.labels == nil ? nil : name,
      probabilities: network.labels == nil ? nil : network.output, step: .network(network),
      training: [input, target], metadata: metadata, specificationVersion: 4)
  }

  /// The labels of the classifier, or of the last classifier of a pipeline.
  package var labels: TreeLabels? {
    switch step {
    case .treeClassifier(_, let labels): labels
    case .linearClassifier(let linear): linear.labels
    case .network(let network): network.labels
    case .pipeline(let pipeline): pipeline.programs.last { $0.labels != nil }?.labels
    default: nil
    }
  }
}
