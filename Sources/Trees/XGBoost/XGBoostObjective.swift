#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the objective of a model says about its outputs.
struct XGBoostObjective {
  /// How the number that sums begin with is kept in the file.
  enum Link {
    case identity
    case logit
    case log
  }

  let transform: TreeEnsemble.Transform
  let link: Link
  let isClassification: Bool

  /// - Returns: nil if the name is not known.
  init?(name: String) {
    isClassification = name == "binary:logistic" || name.hasPrefix("multi:")
    switch name {
    case "binary:logistic", "reg:logistic": (transform, link) = (.sigmoid, .logit)
    // The first gives the number of the largest output, which the outputs tell too.
    case "multi:softmax", "multi:softprob": (transform, link) = (.softmax, .identity)
    case "count:poisson", "reg:gamma", "reg:tweedie", "survival:cox", "survival:aft":
      (transform, link) = (.exponential, .log)
    case "binary:logitraw", "reg:squarederror", "reg:linear", "reg:squaredlogerror",
      "reg:pseudohubererror", "reg:absoluteerror", "reg:quantileerror", "rank:pairwise",
      "rank:ndcg", "rank:map":
      (transform, link) = (.identity, .identity)
    default: return nil
    }
  }

  /// The number that a sum begins with, of what the file says, in 32 bits as XGBoost does.
  ///
  /// - Returns: nil if the objective has none for it.
  func margin(of score: Float) -> Float? {
    switch link {
    case .identity: return score
    case .log: return score > 0 ? logf(score) : nil
    case .logit:
      guard score >= 0, score <= 1 else { return nil }
      let bound: Float = 1e-6
      return -logf(1 / min(max(score, bound), 1 - bound) - 1)
    }
  }
}
