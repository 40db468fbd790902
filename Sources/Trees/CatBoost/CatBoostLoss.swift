/// What the loss of a model says about its outputs.
struct CatBoostLoss {
  let transform: TreeEnsemble.Transform
  let isClassification: Bool

  /// Losses whose sums are what the model predicts.
  private static let plain: Set<String> = [
    "Cox", "Expectile", "GroupQuantile", "Huber", "LambdaMart", "LogCosh", "LogLinQuantile", "Lq",
    "MAE", "MAPE", "MultiQuantile", "MultiRMSE", "MultiRMSEWithMissingValues", "PairLogit",
    "PairLogitPairwise", "PythonUserDefinedMultiTarget", "PythonUserDefinedPerObject",
    "QueryCrossEntropy", "QueryRMSE", "QuerySoftMax", "Quantile", "RMSE", "StochasticFilter",
    "StochasticRank", "SurvivalAft", "YetiRank", "YetiRankPairwise",
  ]

  /// - Returns: nil if the name is not known.
  init?(name: String) {
    isClassification = ["CrossEntropy", "Focal", "Logloss", "MultiClass", "MultiClassOneVsAll"]
      .contains(name)
    switch name {
    // Of several outputs of the last two each answers a question of its own.
    case "CrossEntropy", "Focal", "Logloss", "MultiClassOneVsAll", "MultiCrossEntropy",
      "MultiLogloss":
      transform = .sigmoid
    case "MultiClass": transform = .softmax
    case "Poisson", "Tweedie": transform = .exponential
    case _ where Self.plain.contains(name): transform = .identity
    default: return nil
    }
  }
}
