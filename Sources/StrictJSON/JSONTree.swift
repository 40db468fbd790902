/// A JSON text that can be changed and written again: keys in their order, numbers as they were
/// written.
///
/// Keys are compared by their bytes, as pieces of a vocabulary must be.
package indirect enum JSONTree: Sendable {
  case null
  case bool(Bool)
  /// The digits as written.
  case number(String)
  case string(String)
  case array([JSONTree])
  case object([(key: String, value: JSONTree)])

  package init(_ node: JSONNode) {
    switch node.content {
    case .null: self = .null
    case .bool(let value): self = .bool(value)
    case .number(let digits): self = .number(digits)
    case .string(let text): self = .string(text)
    case .array(let elements): self = .array(elements.map(JSONTree.init))
    case .object(let object): self = JSONTree(object)
    }
  }

  package init(_ object: JSONObject) {
    self = .object(object.members.map { ($0.key, JSONTree($0.value)) })
  }

  /// The value of a key; nil if this is no object, or has no such key. Setting changes a key that is
  /// there; a new value of nil takes it out.
  package subscript(key: String) -> JSONTree? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { ExactString($0.key) == ExactString(key) }?.value
    }
    set {
      guard case .object(var members) = self,
        let place = members.firstIndex(where: { ExactString($0.key) == ExactString(key) })
      else { return }
      if let newValue { members[place].value = newValue } else { members.remove(at: place) }
      self = .object(members)
    }
  }

  /// The value as an integer, if it is written as one.
  package var integer: Int? {
    if case .number(let digits) = self { Int(digits) } else { nil }
  }

  /// The text, if the value is a string.
  package var string: String? {
    if case .string(let text) = self { text } else { nil }
  }

  /// The elements, if the value is an array.
  package var array: [JSONTree]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The members in their order, if the value is an object.
  package var members: [(key: String, value: JSONTree)]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The bytes of the text in one line, without spaces.
  package var bytes: [UInt8] {
    var text: [UInt8] = []
    write(to: &text)
    return text
  }

  private func write(to text: inout [UInt8]) {
    switch self {
    case .null: text += "null".utf8
    case .bool(let value): text += (value ? "true" : "false").utf8
    case .number(let digits): text += digits.utf8
    case .string(let value): JSONValue.quote(value, into: &text)
    case .array(let elements):
      text.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        element.write(to: &text)
      }
      text.append(UInt8(ascii: "]"))
    case .object(let members):
      text.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        JSONValue.quote(member.key, into: &text)
        text.append(UInt8(ascii: ":"))
        member.value.write(to: &text)
      }
      text.append(UInt8(ascii: "}"))
    }
  }
}
