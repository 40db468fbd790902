package import Trees

/// A linear model as a neural network of one inner product, the form in which devices train it further.
///
/// Its numbers have 32 bits.
package struct LinearNetwork: Equatable, Sendable {
  /// The array that it reads.
  package let input: String
  /// What it gives: of a classifier the probability of each label, else an array of sums.
  package let output: String
  /// [outputs, inputs]
  package let weights: [[Float]]
  /// Of each output.
  package let offsets: [Float]
  /// Of a classifier, by a softmax of the sums; nil for the sums themselves.
  package let labels: TreeLabels?
  /// What further training does; nil where there is none.
  let update: SpecNetworkUpdateParameters?

  init(
    input: String, output: String, weights: [[Float]], offsets: [Float], labels: TreeLabels?,
    update: SpecNetworkUpdateParameters?
  ) {
    (self.input, self.output, self.weights, self.offsets) = (input, output, weights, offsets)
    (self.labels, self.update) = (labels, update)
  }

  /// One that devices train further, by gradient descent on the usual loss.
  ///
  /// - Parameter numbers: of one layer, in doubles; they are rounded to 32 bits.
  package init(
    trainable rows: [[Double]], offsets: [Double], labels: TreeLabels?, input: String,
    output: String
  ) {
    self.init(
      input: input, output: output, weights: rows.map { $0.map { Float($0) } },
      offsets: offsets.map { Float($0) }, labels: labels,
      update: .descending(to: output, isClassifier: labels != nil))
  }

  /// The sums of a row.
  func sums(of row: [Double]) -> [Double] {
    zip(weights, offsets).map { weights, offset in
      zip(weights, row).reduce(Double(offset)) { $0 + Double($1.0) * $1.1 }
    }
  }

  /// The same as a linear model in doubles.
  var linear: TabularStep {
    let rows = weights.map { $0.map(Double.init) }
    guard let labels else {
      return .linearRegressor(LinearRegressor(weights: rows[0], offset: Double(offsets[0])))
    }
    return .linearClassifier(
      LinearClassifier(softmax: rows, offsets: offsets.map(Double.init), labels: labels))
  }

  /// The name of the true value that training is given beside the inputs.
  static func target(of output: String) -> String { output + "_true" }
}

extension SpecNetworkUpdateParameters {
  /// Gradient descent as coremltools sets it up: an app may choose other numbers within the bounds.
  fileprivate static func descending(
    to output: String, isClassifier: Bool
  ) -> SpecNetworkUpdateParameters {
    var target = SpecLossTarget()
    target.input = output
    target.target = LinearNetwork.target(of: output)
    var loss = SpecLossLayer()
    loss.name = "loss"
    loss.lossLayerType =
      isClassifier ? .categoricalCrossEntropyLossLayer(target) : .meanSquaredErrorLossLayer(target)
    var descent = SpecSGDOptimizer()
    descent.learningRate.defaultValue = 0.01
    descent.learningRate.range.minValue = 0
    descent.learningRate.range.maxValue = 1
    descent.miniBatchSize.defaultValue = 8
    descent.miniBatchSize.set.values = [1, 2, 4, 8, 16, 32, 64]
    descent.momentum.defaultValue = 0
    descent.momentum.range.minValue = 0
    descent.momentum.range.maxValue = 1
    var update = SpecNetworkUpdateParameters()
    update.lossLayers = [loss]
    update.optimizer.sgdOptimizer = descent
    update.epochs.defaultValue = 10
    update.epochs.set.values = [1, 2, 5, 10, 20, 50, 100]
    update.shuffle.defaultValue = true
    update.seed.defaultValue = 1
    return update
  }
}
