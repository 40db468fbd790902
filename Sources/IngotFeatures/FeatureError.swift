import StrictJSON

/// Why a schema of features, or a row by names, cannot be used.
public enum FeatureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A schema that is none; the fault, with its place.
  case schema(String)
  /// A feature of the schema that makes no sense.
  case feature(name: String, fault: String)
  /// A row without a feature.
  case noValue(name: String)
  /// A row with a feature that the model does not have; those that it has.
  case unknownFeature(name: String, known: [String])
  /// A value of another kind.
  case otherValue(name: String, found: String, expected: String)
  /// A category that the model does not know; those that it knows.
  case unknownCategory(name: String, found: String, known: [String])
  /// A missing value where the model takes none.
  case missing(name: String)

  /// One line: the feature, its value, and what is known.
  public var description: String {
    switch self {
    case .schema(let fault): fault
    case .feature(let name, let fault): "the feature \(quoted(name)) \(fault)"
    case .noValue(let name):
      "the feature \(quoted(name)) has no value; give null where it is missing"
    case .unknownFeature(let name, let known):
      "the feature \(quoted(name)) is not known; known are \(Figures.list(known))"
    case .otherValue(let name, let found, let expected):
      "the value of \(quoted(name)) is \(found), expected \(expected)"
    case .unknownCategory(let name, let found, let known):
      "the value of \(quoted(name)) is \(found), which is none of its categories: "
        + Figures.list(known)
    case .missing(let name):
      "the value of \(quoted(name)) is missing, expected a finite number of 32 bits"
    }
  }
}

extension FeatureValue {
  /// For messages: `0.5`, `true`, `'wifi'`.
  package var words: String {
    switch self {
    case .number(let value): value.isNaN ? "missing" : CategoryTable.text(of: value)
    case .truth(let value): "\(value)"
    case .text(let text): quoted(text)
    case .missing: "missing"
    }
  }
}
