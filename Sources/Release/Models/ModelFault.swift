/// Why a model cannot be used as a project asks.
enum ModelFault {
  /// The model, its compression or its reference set is at fault.
  case error(any Error)
  /// Its files are others than when the build began.
  case changed
  /// No work was done on it.
  case notMade

  /// The fault as sentences, the first of which says what it is.
  var reasons: [String] {
    switch self {
    case .error(let error): "\(error)".split(separator: "\n").map(String.init)
    case .changed:
      ["the model, its reference set or its source check changed during the build"]
    case .notMade: ["the model was not made"]
    }
  }
}
