/// How the token vectors become one sentence vector; the raw value is sentence-transformers' word. In
/// the order in which that joins several that older files switch on.
package enum PoolingMode: String, CaseIterable, Sendable {
  case firstToken = "cls"
  case maximum = "max"
  case mean
  case meanOfRoot = "mean_sqrt_len_tokens"
  case weightedMean = "weightedmean"
  case lastToken = "lasttoken"

  /// The switch that meant it up to sentence-transformers 5.3.
  package var oldKey: String {
    switch self {
    case .firstToken: "pooling_mode_cls_token"
    case .maximum: "pooling_mode_max_tokens"
    case .mean: "pooling_mode_mean_tokens"
    case .meanOfRoot: "pooling_mode_mean_sqrt_len_tokens"
    case .weightedMean: "pooling_mode_weightedmean_tokens"
    case .lastToken: "pooling_mode_lasttoken"
    }
  }

  static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
