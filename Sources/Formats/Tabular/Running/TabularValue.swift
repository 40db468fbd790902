/// An input or output of a run.
package enum TabularValue: Equatable, Sendable {
  /// NaN where it is missing.
  case double(Double)
  case int64(Int)
  case string(String)
  case array([Double])
  case textDictionary([String: Double])
  case integerDictionary([Int: Double])

  package var kind: TabularFeature.Kind {
    switch self {
    case .double: .double
    case .int64: .int64
    case .string: .string
    case .array(let values): .array(values.count)
    case .textDictionary: .textDictionary
    case .integerDictionary: .integerDictionary
    }
  }

  /// What it adds to a row; nil for texts and dictionaries.
  var numbers: [Double]? {
    switch self {
    case .double(let value): [value]
    case .int64(let value): [Double(value)]
    case .array(let values): values
    case .string, .textDictionary, .integerDictionary: nil
    }
  }
}
