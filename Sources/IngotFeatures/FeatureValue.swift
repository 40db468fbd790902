/// The value of one feature, as an app or a line of a reference set gives it.
///
/// It may be written as a literal: `["battery_level": 0.5, "is_charging": true, "network": "wifi", "age": nil]`.
public enum FeatureValue: Hashable, Sendable {
  /// A number; NaN counts as missing.
  case number(Double)
  /// True or false.
  case truth(Bool)
  /// The name of a category.
  case text(String)
  /// There is no value.
  case missing

  /// Whether there is no value.
  public var isMissing: Bool {
    switch self {
    case .missing: true
    case .number(let value): value.isNaN
    case .truth, .text: false
    }
  }
}

extension FeatureValue: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  /// A number.
  public init(floatLiteral value: Double) { self = .number(value) }
  /// A number.
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  /// A truth value.
  public init(booleanLiteral value: Bool) { self = .truth(value) }
  /// The name of a category.
  public init(stringLiteral value: String) { self = .text(value) }
  /// No value.
  public init(nilLiteral: ()) { self = .missing }
}
