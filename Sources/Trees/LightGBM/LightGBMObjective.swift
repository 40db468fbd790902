import StrictJSON

/// What the objective of a model says about its outputs.
struct LightGBMObjective {
  let transform: TreeEnsemble.Transform
  let isClassification: Bool
  /// What sums are multiplied by before the transform.
  private(set) var scale = 1.0
  /// Outputs of a row; nil where it may be any number.
  private(set) var outputCount: Int?

  /// - Parameters:
  ///   - text: the name, and parameters: `binary sigmoid:1`; nil of an objective of one's own.
  ///   - path: the file, for messages.
  init(_ text: String?, path: String) throws(TreeError) {
    let words = (text ?? "custom").split(separator: " ")
    let name = words.first.map(String.init) ?? ""
    func fault(_ words: String) -> TreeError {
      TreeError(path: path, fault: "the objective \(quoted(text ?? "")) \(words)")
    }
    isClassification = ["binary", "multiclass", "multiclassova"].contains(name)
    switch name {
    case "binary", "multiclassova", "cross_entropy": transform = .sigmoid
    case "multiclass": transform = .softmax
    case "poisson", "gamma", "tweedie": transform = .exponential
    case "regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank",
      "rank_xendcg", "custom":
      transform = .identity
    case "cross_entropy_lambda":
      throw fault("gives log(1 + exp(x)), which is not supported; train with 'cross_entropy'")
    default: throw fault("is not known")
    }
    outputCount = name == "custom" || name.hasPrefix("multiclass") ? nil : 1
    for word in words.dropFirst() { try take(word, fault) }
    guard name != "binary" && name != "multiclassova" || words.contains(where: Self.isSigmoid)
    else { throw fault("has no 'sigmoid'") }
    guard !name.hasPrefix("multiclass") || (outputCount ?? 0) > 1 else {
      throw fault("has no 'num_class' of 2 or more")
    }
  }

  private static func isSigmoid(_ word: Substring) -> Bool { word.hasPrefix("sigmoid:") }

  private mutating func take(
    _ word: Substring, _ fault: (String) -> TreeError
  ) throws(TreeError) {
    let value = word.drop { $0 != ":" }.dropFirst()
    if Self.isSigmoid(word), transform == .sigmoid {
      guard let number = Double(value), number.isFinite, number > 0 else {
        throw fault("has a 'sigmoid' that is not above 0")
      }
      scale = number
    } else if word.hasPrefix("num_class:"), isClassification {
      guard let count = Int(value) else { throw fault("has a 'num_class' that is not a number") }
      outputCount = count
    } else if word == "sqrt" {
      // Of these LightGBM gives ±x²; of the other objectives it takes no notice.
      guard transform != .identity else {
        throw fault("squares its sums, which is not supported; train with reg_sqrt=False")
      }
    } else {
      throw fault("has the parameter \(quoted(String(word))), which is not known")
    }
  }
}
