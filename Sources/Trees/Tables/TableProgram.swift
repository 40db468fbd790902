/// A model over named features, as steps that compute one output.
package struct TableProgram: Equatable, Sendable {
  /// The name of the features, as steps read them: [rows, features].
  package static let features = "features"
  /// Most steps of a model.
  package static let stepLimit = 10_000

  /// What made the model, with its version.
  package let library: String
  package let inputs: [TreeFeature]
  /// In an order in which every step comes after those that it reads.
  package let steps: [TableStep]
  /// The step whose value the model returns.
  package let returned: String
  package let task: TreeTask
  /// Whether a classifier's outputs are probabilities, not scores.
  package let givesProbabilities: Bool
  package let outputName: String

  package init(
    library: String, inputs: [TreeFeature], steps: [TableStep], returned: String, task: TreeTask,
    givesProbabilities: Bool, outputName: String
  ) {
    (self.library, self.inputs, self.steps) = (library, inputs, steps)
    (self.returned, self.task) = (returned, task)
    (self.givesProbabilities, self.outputName) = (givesProbabilities, outputName)
  }
}

/// A program with the numbers of its arrays.
package struct Table: Equatable, Sendable {
  package let program: TableProgram
  /// In the order in which steps read them.
  package let arrays: [Numbers]
  /// The trees of steps, by the name of the step.
  package let trees: [(step: String, ensemble: TreeEnsemble)]

  /// The numbers of an array, row-major.
  package struct Numbers: Equatable, Sendable {
    package let name: String
    package let shape: [Int]
    package let values: [Float]

    package init(name: String, shape: [Int], values: [Float]) {
      (self.name, self.shape, self.values) = (name, shape, values)
    }
  }

  package init(
    program: TableProgram, arrays: [Numbers], trees: [(step: String, ensemble: TreeEnsemble)]
  ) {
    (self.program, self.arrays, self.trees) = (program, arrays, trees)
  }

  /// The same as trees or linear layers over features, where its steps are no more than that.
  package var simplest: TabularModel {
    do throws(TableFault) { return try TableForm.model(of: self) } catch { return .table(self) }
  }

  package static func == (left: Table, right: Table) -> Bool {
    left.program == right.program && left.arrays == right.arrays
      && left.trees.map(\.step) == right.trees.map(\.step)
      && left.trees.map(\.ensemble) == right.trees.map(\.ensemble)
  }
}

/// What a library's file holds.
package enum TabularModel: Equatable, Sendable {
  /// Trees that are added up, and nothing else that computes.
  case trees(TreeModel)
  /// Linear layers over features that are encoded and scaled, and nothing else that computes.
  case layers(TableLayers)
  case table(Table)
}
