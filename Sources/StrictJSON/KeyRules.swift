/// What is known of the keys of a describing file, so that none is passed over unread.
///
/// A key is *understood* (the reader looks at it), *harmless* (it changes no number that comes out,
/// and the reason says why), or *neutral* (harmless at the listed values, an error at any other).
/// Every other key is an error: whoever wrote it meant something.
package struct KeyRules: Sendable {
  private enum Rule: Sendable {
    case understood
    case harmless
    case neutral([JSONValue])
  }

  private var rules: [ExactString: Rule] = [:]

  /// Rules for a file.
  ///
  /// - Parameters:
  ///   - understood: keys that the reader looks at.
  ///   - harmless: keys that change nothing, each with the reason.
  ///   - neutral: keys that change nothing at these values, and are not built for others. A key
  ///     that is null counts as one that is not there.
  package init(
    understood: [String], harmless: [String: String] = [:], neutral: [String: [JSONValue]] = [:]
  ) {
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
      case .understood, .harmless: continue
      case .neutral(let values):
        guard !node.isNull, !values.contains(node.value) else { continue }
        let supported = values.isEmpty ? ["null"] : values.map(\.compact)
        throw object.error(
          "\(quoted(key)) is \(node.kind), which is not supported; supported: "
            + supported.joined(separator: ", "), at: node.position)
      case nil:
        throw object.error(
          "the key \(quoted(key)) (\(node.kind)) is not understood, and it may change what the "
            + "model does", at: node.position)
      }
    }
  }
}

extension JSONNode {
  /// The value as one to be written; whole numbers as integers.
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
