/// The known keys of a describing file, so that none is ignored by mistake.
///
/// A key is *understood* (the reader looks at it), *harmless* (it changes no output, for the given
/// reason), or *neutral* (harmless at the listed values, an error at any other). Every other key is
/// an error: its author meant something by it.
///
/// Null differs from a missing key: a library usually takes it as a value, and behaves differently
/// or fails. It is an error except for keys that are listed, and for harmless ones, which may hold
/// anything.
package struct KeyRules: Sendable {
  /// The keys that may be null.
  package enum Nulls: Sendable, ExpressibleByArrayLiteral {
    /// Of those that are understood or neutral these.
    case of([String])
    /// Every key that is known.
    case any

    package init(arrayLiteral keys: String...) { self = .of(keys) }
  }

  private enum Rule: Sendable {
    case understood
    case harmless
    case neutral([JSONValue])
  }

  private var rules: [ExactString: Rule] = [:]
  private let nullable: Nulls

  /// Rules for a file.
  ///
  /// - Parameters:
  ///   - understood: keys that the reader looks at.
  ///   - harmless: keys that change nothing, each with the reason.
  ///   - neutral: keys that change nothing at these values, and are not built for others.
  ///   - nullable: keys that may be null; those that are neutral then change nothing.
  package init(
    understood: [String], harmless: [String: String] = [:], neutral: [String: [JSONValue]] = [:],
    nullable: Nulls = []
  ) {
    self.nullable = nullable
    for key in harmless.keys { rules[ExactString(key)] = .harmless }
    for (key, values) in neutral { rules[ExactString(key)] = .neutral(values) }
    for key in understood { rules[ExactString(key)] = .understood }
  }

  /// Refuses the first member of an object that is not understood.
  ///
  /// - Throws: `JSONError` naming file, place, key and value.
  package func check(_ object: JSONObject) throws(JSONError) {
    for (key, node) in object.members {
      switch rules[ExactString(key)] {
      case .harmless: continue
      case .understood: try checkNull(key, node, object)
      case .neutral(let values): try checkNeutral(key, node, values, object)
      case nil:
        throw object.error(
          "the key \(quoted(key)) (\(KeyRules.words(node))) is not understood, and it may change what the "
            + "model does", at: node.position)
      }
    }
  }

  /// A value for messages: lists and objects as they are written, cut after 80 characters.
  private static func words(_ node: JSONNode) -> String {
    switch node.content {
    case .array, .object:
      let text = node.value.compact
      return text.count > 80 ? "\(text.prefix(79))…" : text
    default: return node.kind
    }
  }

  private func mayBeNull(_ key: String) -> Bool {
    switch nullable {
    case .any: true
    case .of(let keys): keys.contains { ExactString($0) == ExactString(key) }
    }
  }

  private func checkNull(
    _ key: String, _ node: JSONNode, _ object: JSONObject
  ) throws(JSONError) {
    guard node.isNull, !mayBeNull(key) else { return }
    throw object.error(
      "\(quoted(key)) is null, which is not the same as no such key; give it a value or leave it "
        + "out", at: node.position)
  }

  private func checkNeutral(
    _ key: String, _ node: JSONNode, _ values: [JSONValue], _ object: JSONObject
  ) throws(JSONError) {
    guard !(node.isNull && mayBeNull(key)), !values.contains(node.value) else { return }
    let words =
      values.isEmpty ? [mayBeNull(key) ? "null" : "no such key"] : values.map(\.compact)
    throw object.error(
      "\(quoted(key)) is \(KeyRules.words(node)), which is not supported; supported: "
        + words.joined(separator: ", "), at: node.position)
  }
}

extension JSONNode {
  /// The value for writing; whole numbers as integers.
  package var value: JSONValue {
    switch content {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number: integer.map(JSONValue.integer) ?? .double(double ?? .infinity)
    case .string(let value): .string(value)
    case .array(let elements): .array(elements.map(\.value))
    case .object(let object):
      .object(Dictionary(object.members.map { ($0.key, $0.value.value) }) { _, last in last })
    }
  }
}
