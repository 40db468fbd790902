package import IngotFeatures

/// An ensemble of trees, and what its file says about inputs and outputs.
package struct TreeModel: Equatable, Sendable {
  package let ensemble: TreeEnsemble
  /// As many as the ensemble's; named `f0`, `f1`, … where the file names none.
  package let features: [TreeFeature]
  package let task: TreeTask
  /// The library, with its version where the file says it: `XGBoost 3.1.2`.
  package let library: String
  /// Whether a classifier's outputs are probabilities. Otherwise they are scores: the largest decides,
  /// and of a single one its sign.
  package let givesProbabilities: Bool
  /// The name of the output, where the file has one.
  package let outputName: String?
  /// Where objects of the library predict differently with the file: which is followed, and how to get the
  /// other.
  package let note: String?

  /// - Parameter givesProbabilities: nil where the transform says it.
  package init(
    ensemble: TreeEnsemble, features: [TreeFeature], task: TreeTask, library: String,
    givesProbabilities: Bool? = nil, outputName: String? = nil, note: String? = nil
  ) {
    self.ensemble = ensemble
    self.features = features
    self.task = task
    self.library = library
    self.givesProbabilities =
      givesProbabilities
      ?? [.sigmoid, .softmax, .oneVersusRest, .share].contains(ensemble.transform)
    self.outputName = outputName
    self.note = note
  }
}

/// One feature of a row.
package struct TreeFeature: Equatable, Sendable {
  package let name: String
  package let kind: Kind
  /// What a category without a code is, as the library has it.
  package let unknown: CategoryList.Unknown
  /// What happens to a missing value: trees take it.
  package let missing: Feature.Missing
  /// Numbers that mean a missing value.
  package let absent: [Double]

  package enum Kind: Equatable, Sendable {
    case number
    /// True is 1, false 0.
    case boolean
    /// A whole number from 0; names of the categories in that order, empty where the file has none.
    case category(names: [String])

    /// Names of the categories; empty of a feature without.
    package var names: [String] {
      if case .category(let names) = self { names } else { [] }
    }
  }

  package init(
    _ name: String, _ kind: Kind = .number, unknown: CategoryList.Unknown = .missing,
    missing: Feature.Missing = .taken, absent: [Double] = []
  ) {
    self.name = name
    self.kind = kind
    self.unknown = unknown
    self.missing = missing
    self.absent = absent
  }

  /// As apps give it.
  package var feature: Feature {
    let kind: Feature.Kind =
      switch kind {
      case .number: .number
      case .boolean: .boolean
      case .category(let names): .category(CategoryList(names, unknown: unknown))
      }
    return Feature(name, kind, missing: missing, absent: absent)
  }

  /// A feature that takes one number of a row; nil for another.
  package init?(_ feature: Feature) {
    var unknown = CategoryList.Unknown.missing
    let kind: Kind
    switch feature.kind {
    case .number: kind = .number
    case .boolean: kind = .boolean
    case .category(let list) where list.encoding == .ordinal:
      kind = .category(names: list.names)
      unknown = list.unknown
    case .category, .cyclic: return nil
    }
    self.init(
      feature.name, kind, unknown: unknown, missing: feature.missing, absent: feature.absent)
  }
}

/// What the outputs are.
package enum TreeTask: Equatable, Sendable {
  /// Numbers.
  case regression
  /// A number per class, or for two classes one: that of the second. Names where the file has them.
  case classification(labels: TreeLabels?)
}

/// Names of classes, in the order of the outputs.
package enum TreeLabels: Equatable, Sendable {
  case texts([String])
  case integers([Int])

  /// The number of labels.
  package var count: Int {
    switch self {
    case .texts(let texts): texts.count
    case .integers(let integers): integers.count
    }
  }
}
