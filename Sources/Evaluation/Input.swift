package import StrictJSON

/// One input of a model, as a reference set or a line of inputs gives it.
///
/// Two inputs are equal when their bytes are: texts are not compared as Unicode does, and 0 is not
/// −0, because a model may well tell them apart.
package enum Input: Hashable, Sendable {
  case text(String)
  /// Values of named features, in the model's order.
  case values([Float])

  /// Reads `{"text": …}` or `{"values": […]}`.
  ///
  /// - Parameter parent: the object the node stands in, for the place in messages.
  package init(_ node: JSONNode, key: String, in parent: JSONObject) throws(JSONError) {
    guard let object = node.object else {
      throw parent.mismatch(key, expected: "an object with 'text' or 'values'", node)
    }
    self = try Input(object)
  }

  /// Reads `{"text": …}` or `{"values": […]}`.
  package init(_ object: JSONObject) throws(JSONError) {
    if let image = object["image"] {
      throw object.error(
        "images need an image model; this build has none yet", at: image.position)
    }
    try object.allowOnly(["text", "values"])
    guard object.members.count == 1 else {
      throw object.error(
        object.members.isEmpty
          ? "an input needs 'text' or 'values'"
          : "an input has either 'text' or 'values', not both",
        at: object.position)
    }
    if object["text"] != nil {
      self = .text(try object.string("text"))
    } else {
      self = .values(try Input.floats("values", of: object))
    }
  }

  /// An array of numbers, each of which a 32-bit float can hold.
  static func floats(_ key: String, of object: JSONObject) throws(JSONError) -> [Float] {
    var values: [Float] = []
    for node in try object.array(key) {
      guard case .number = node.content else {
        throw object.error(
          "a value of '\(key)' is \(node.kind), expected a number", at: node.position)
      }
      guard let value = node.double.map({ Float($0) }), value.isFinite else {
        throw object.error(
          "a value of '\(key)' is \(node.kind), too large for a 32-bit float", at: node.position)
      }
      values.append(value)
    }
    return values
  }

  /// Short form for messages: at most 40 characters of a text, at most four values.
  package var label: String {
    switch self {
    case .text(let text):
      let scalars = text.unicodeScalars
      let short = String(String.UnicodeScalarView(scalars.prefix(40)))
      let isCut = scalars.dropFirst(40).first != nil
      return JSONValue.string(isCut ? short + "…" : short).compact
    case .values(let values):
      let shown = values.prefix(4).map { "\($0)" }.joined(separator: ", ")
      return values.count > 4 ? "[\(shown), …]" : "[\(shown)]"
    }
  }

  package static func == (left: Input, right: Input) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): ExactString(left) == ExactString(right)
    case (.values(let left), .values(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.bitPattern == $1.bitPattern }
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .text(let text): hasher.combine(ExactString(text))
    case .values(let values): for value in values { hasher.combine(value.bitPattern) }
    }
  }
}
