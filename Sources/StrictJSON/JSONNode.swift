/// One value of a parsed JSON text, with its place.
package struct JSONNode: Sendable {
  /// The value itself.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// The digits as written; convert with `integer` or `double`.
    case number(String)
    case string(String)
    case array([JSONNode])
    case object(JSONObject)
  }

  package let content: Content
  /// The start of the value.
  package let position: JSONPosition

  /// Words for the kind of value found, for messages.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): "the number \(digits.prefix(40))"
    case .string(let text): "the string \"\(printable(text, 40))\""
    case .array(let elements): "an array of \(elements.count)"
    case .object: "an object"
    }
  }

  /// The value as an exact integer (`3`, also `3.0`), if it is one that fits.
  package var integer: Int? {
    guard case .number(let digits) = content else { return nil }
    if let value = Int(digits) { return value }
    guard let value = Double(digits), value.magnitude <= 9_007_199_254_740_992 else { return nil }
    return Int(exactly: value)
  }

  /// The value as an exact integer that is written as one: `3`, not `3.0` or `3e0`, which a reader
  /// that tells integers from floats takes for a float.
  package var plainInteger: Int? {
    if case .number(let digits) = content { Int(digits) } else { nil }
  }

  /// The value as a finite double, if it is a number.
  package var double: Double? {
    guard case .number(let digits) = content, let value = Double(digits), value.isFinite else {
      return nil
    }
    return value
  }

  /// The text, if the value is a string.
  package var string: String? {
    if case .string(let value) = content { value } else { nil }
  }

  /// The truth value, if it is one.
  package var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  /// The elements, if the value is an array.
  package var array: [JSONNode]? {
    if case .array(let value) = content { value } else { nil }
  }

  /// The object, if the value is one.
  package var object: JSONObject? {
    if case .object(let value) = content { value } else { nil }
  }

  /// Whether the value is null.
  package var isNull: Bool {
    if case .null = content { true } else { false }
  }
}
