package import Trees

/// What a classic Core ML model computes; a case per message of the format.
package indirect enum TabularStep: Equatable, Sendable {
  /// Trees that give a number per label, or for two labels one: that of the second.
  case treeClassifier(TreeEnsemble, TreeLabels)
  /// Trees that give one number.
  case treeRegressor(TreeEnsemble)
  case linearClassifier(LinearClassifier)
  case linearRegressor(LinearRegressor)
  /// A linear model in the form in which devices train it further.
  case network(LinearNetwork)
  /// scale · (x + shift) of each number of an array. There are 0, 1, or as many numbers of either.
  case scaler(shift: [Double], scale: [Double])
  case imputer(Imputation)
  /// 1 at the place of the category, 0 elsewhere: an array, or if sparse a dictionary of one number.
  case oneHotEncoder(TreeLabels, isSparse: Bool, unknown: Unknown)
  /// Numbers of a dictionary in the order of the keys. Keys that are not there are 0.
  case dictVectorizer(TreeLabels)
  /// Numbers of all inputs one after another; those of dictionaries at the places their keys name.
  case featureVectorizer([Column])
  case normalizer(Norm)
  /// Numbers of an array, by their places.
  case arrayFeatureExtractor([Int])
  case pipeline(Pipeline)

  /// A category that the encoder does not know.
  package enum Unknown: Hashable, Sendable {
    /// Running fails.
    case isError
    /// All numbers are 0.
    case isZero
  }

  /// An input of a vectorizer.
  package struct Column: Equatable, Sendable {
    package let name: String
    /// The numbers it becomes.
    package let count: Int

    package init(_ name: String, _ count: Int) {
      self.name = name
      self.count = count
    }
  }

  /// What an array is divided by. Zeros stay zeros.
  package enum Norm: CaseIterable, Sendable {
    /// The largest number. Core ML's text says the largest, scikit-learn takes magnitudes: running fails
    /// where these differ.
    case largest
    /// The sum of magnitudes.
    case sum
    /// The root of the sum of squares.
    case length
  }

  /// Numbers or texts in place of those that are missing.
  package enum Imputation: Equatable, Sendable {
    /// - Parameter missing: the number that is replaced; NaN replaces NaN.
    case double(Double, missing: Double)
    case int64(Int, missing: Int)
    case string(String, missing: String)
    /// A number for each of an array.
    case array([Double], missing: Double)
  }

  /// Programs that run one after another; each sees all inputs, and outputs of those before it.
  package struct Pipeline: Equatable, Sendable {
    package let kind: Kind
    package let programs: [TabularProgram]
    /// Of each program, or none.
    package let names: [String]

    package enum Kind: Sendable {
      /// Gives outputs of its programs.
      case plain
      /// Gives a label.
      case classifier
      /// Gives a number.
      case regressor
    }

    package init(_ kind: Kind, _ programs: [TabularProgram], names: [String] = []) {
      self.kind = kind
      self.programs = programs
      self.names = names
    }
  }

  /// Whether it is a network that reads one array.
  var isNetwork: Bool {
    if case .network = self { true } else { false }
  }

  /// The format's word.
  package var word: String {
    switch self {
    case .treeClassifier: "treeEnsembleClassifier"
    case .treeRegressor: "treeEnsembleRegressor"
    case .linearClassifier: "glmClassifier"
    case .linearRegressor: "glmRegressor"
    case .network(let network):
      network.labels == nil ? "neuralNetwork" : "neuralNetworkClassifier"
    case .scaler: "scaler"
    case .imputer: "imputer"
    case .oneHotEncoder: "oneHotEncoder"
    case .dictVectorizer: "dictVectorizer"
    case .featureVectorizer: "featureVectorizer"
    case .normalizer: "normalizer"
    case .arrayFeatureExtractor: "arrayFeatureExtractor"
    case .pipeline(let pipeline):
      switch pipeline.kind {
      case .plain: "pipeline"
      case .classifier: "pipelineClassifier"
      case .regressor: "pipelineRegressor"
      }
    }
  }
}
