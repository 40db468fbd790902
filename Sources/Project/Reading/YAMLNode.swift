import Packaging

/// One value of a project file, with its place.
package struct YAMLNode {
  package enum Content {
    /// `isPlain`: written without quotes, so that it may mean a number or nothing.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    /// In the order written; each key once.
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  package let content: Content
  let place: Place

  /// The text of a scalar that is not empty.
  package var string: String? {
    if case .scalar(let text, _) = content, !isEmpty { text } else { nil }
  }

  /// Whether nothing is written here: an empty plain scalar, `~` or `null`.
  var isEmpty: Bool {
    if case .scalar(let text, true) = content { ["", "~", "null"].contains(text) } else { false }
  }

  var integer: Int? {
    guard case .scalar(let text, true) = content, text.utf8.count <= 18,
      text.utf8.enumerated().allSatisfy({ index, byte in
        (0x30...0x39) ~= byte || (index == 0 && byte == UInt8(ascii: "-"))
      })
    else { return nil }
    return Int(text)
  }

  var double: Double? {
    guard case .scalar(let text, true) = content, text.utf8.count <= 40,
      text.utf8.allSatisfy({ (0x30...0x39) ~= $0 || "+-.eE".utf8.contains($0) }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// `true` or `false`, written so and without quotes.
  var bool: Bool? {
    guard case .scalar(let text, true) = content else { return nil }
    return ["true": true, "false": false][text]
  }

  /// Words that describe this value and show nothing of it, for files that may be of any kind.
  var form: String {
    if case .scalar(let text, _) = content, !isEmpty {
      "a text of \(text.unicodeScalars.count) characters"
    } else {
      kind
    }
  }

  /// Words for the kind of node, for messages.
  var kind: String {
    switch content {
    case .scalar where isEmpty: "empty"
    case .scalar(let text, _): "'\(text.prefix(60).asciiEscaped)'"
    case .sequence: "a list"
    case .mapping: "a group of keys"
    }
  }
}

/// A value and where it was written.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let place: Place
}

extension Located: Equatable where Value: Equatable {}
