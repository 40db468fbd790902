package import IngotFeatures

/// A table that is a chain of linear layers over encoded features.
package struct TableLayers: Equatable, Sendable {
  package enum Activation: String, Sendable {
    case identity, relu, sigmoid, tanh, softmax
    /// A sigmoid of each output, divided by their sum.
    case oneVersusRest = "one-vs-rest"
  }

  /// What a row is divided by. Zeros stay zeros.
  package enum Norm: Sendable {
    /// The sum of magnitudes.
    case sum
    /// The root of the sum of squares.
    case length
  }

  /// A linear layer, and what is done with its outputs.
  package struct Layer: Equatable, Sendable {
    /// [outputs, inputs]
    package let rows: [[Double]]
    /// Of each output.
    package let offsets: [Double]
    package let activation: Activation
  }

  /// What made the model, with its version.
  package let library: String
  package let features: [Feature]
  /// x' = (x − mean) ÷ scale of each number of a row; nil where all are taken as they are.
  package let standardisation: (mean: [Double], scale: [Double])?
  /// What a row is divided by before the first layer; nil for none.
  package let norm: Norm?
  package let layers: [Layer]
  package let task: TreeTask
  /// Whether the one output is the probability of the second of two classes, and both have a column.
  package let hasTwoColumns: Bool
  package let outputName: String

  package static func == (left: TableLayers, right: TableLayers) -> Bool {
    left.library == right.library && left.features == right.features
      && left.standardisation?.mean == right.standardisation?.mean
      && left.standardisation?.scale == right.standardisation?.scale
      && left.norm == right.norm && left.layers == right.layers && left.task == right.task
      && left.hasTwoColumns == right.hasTwoColumns && left.outputName == right.outputName
  }
}

/// Why a table is neither trees alone nor linear layers: the step, and what it does.
package struct TableFault: Error, Equatable, CustomStringConvertible {
  package let step: TableStep
  /// In words that follow the step.
  package let reason: String
  /// What to do, in words of a command; nil where only leaving the step out helps.
  package let mend: String?

  init(step: TableStep, reason: String, mend: String? = nil) {
    (self.step, self.reason, self.mend) = (step, reason, mend)
  }

  package var description: String {
    let node = step.node.map { ", made of \($0)" } ?? ""
    return "step '\(step.name)' (\(step.kind.rawValue)\(node)) \(reason)"
  }
}
