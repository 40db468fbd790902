import IngotFeatures
import StrictJSON

// Features, and the numbers that sums begin with.
extension XGBoostBuilder {
  /// A whole number that is kept as a text.
  private func number(_ key: String, _ missing: Int? = nil) throws(TreeError) -> Int {
    guard let text = document.parameters[key] else {
      guard let missing else { throw fault("'learner_model_param' has no key '\(key)'") }
      return missing
    }
    guard let value = Int(text), value >= 0, value <= Int(UInt32.max) else {
      throw fault("'\(key)' is \(quoted(text)), expected a whole number")
    }
    return value
  }

  func featureCount() throws(TreeError) -> Int {
    let count = try number("num_feature")
    guard count <= Self.featureLimit else {
      throw fault("'num_feature' is \(count), more than \(Self.featureLimit) are not supported")
    }
    return count
  }

  /// The features with their names and kinds.
  func features(_ count: Int) throws(TreeError) -> [TreeFeature] {
    let categories = document.booster.categoryNames
    for (name, size) in [
      ("feature_names", document.featureNames.count),
      ("feature_types", document.featureTypes.count), ("enc", categories.count),
    ] where size != 0 && size != count {
      throw fault("'\(name)' has \(size) values, 'num_feature' is \(count)")
    }
    let asked = askedForCategories(count)
    var features: [TreeFeature] = []
    features.reserveCapacity(count)
    for number in 0..<count {
      let name = document.featureNames.isEmpty ? "f\(number)" : document.featureNames[number]
      let type = document.featureTypes.isEmpty ? "q" : document.featureTypes[number]
      let names = categories.isEmpty ? [] : categories[number]
      features.append(
        TreeFeature(
          name, try kind(number, type, names, isAsked: asked.contains(number)),
          // The library refuses a category that training did not see.
          unknown: names.isEmpty ? .missing : .refused))
    }
    return features
  }

  private func kind(
    _ feature: Int, _ type: String, _ names: [String], isAsked: Bool
  ) throws(TreeError) -> TreeFeature.Kind {
    if isAsked || !names.isEmpty { return .category(names: names) }
    switch type {
    case "q", "float", "int": return .number
    case "i": return .boolean
    case "c": return .category(names: [])
    default: throw fault("feature \(feature) is of type \(quoted(type)), which is not known")
    }
  }

  /// The features that a branch asks for a category.
  private func askedForCategories(_ count: Int) -> Set<Int> {
    var asked: Set<Int> = []
    for tree in document.booster.trees {
      for node in tree.isCategory.indices where tree.isCategory[node] {
        asked.insert(Int(tree.features[node]))
      }
    }
    return asked
  }

  /// Of each output: the number that its sum begins with.
  func base(_ objective: XGBoostObjective) throws(TreeError) -> [Double] {
    let (classes, targets) = (try number("num_class", 0), try number("num_target", 1))
    guard classes <= 1 || targets <= 1 else {
      throw fault(
        "there are \(classes) classes and \(Figures.count(targets, "target")), expected one of both"
      )
    }
    guard objective.transform != .softmax || classes > 1 else {
      throw fault("'num_class' is \(classes), expected 2 or more")
    }
    let count = max(classes, targets, 1)
    guard count <= TreeEnsembleBuilder.outputLimit else {
      throw fault(
        "there \(Figures.are(count, "output")), expected 1 to \(TreeEnsembleBuilder.outputLimit)")
    }
    let scores = try baseScores()
    guard scores.count == 1 || scores.count == count else {
      throw fault(
        "'base_score' has \(Figures.count(scores.count, "value")), there \(Figures.are(count, "output"))"
      )
    }
    var base: [Double] = []
    for score in scores {
      guard let margin = objective.margin(of: score), margin.isFinite else {
        throw fault("'base_score' is \(score), which the objective has no place for")
      }
      base.append(Double(margin))
    }
    return base.count == count ? base : Array(repeating: base[0], count: count)
  }

  /// `base_score`: a number, or since version 3.1 an array of numbers, in a text.
  private func baseScores() throws(TreeError) -> [Float] {
    guard let text = document.parameters["base_score"] else {
      throw fault("'learner_model_param' has no key 'base_score'")
    }
    let parts =
      text.hasPrefix("[") && text.hasSuffix("]")
      ? text.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
      : [text[...]]
    var scores: [Float] = []
    for part in parts {
      guard let score = Float(part.filter { $0 != " " }), score.isFinite else {
        throw fault("'base_score' is \(quoted(text)), expected a number or '[number, …]'")
      }
      scores.append(score)
    }
    return scores
  }
}
