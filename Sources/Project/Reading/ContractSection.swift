import Packaging
import WeightCompression

/// One group of keys of the project file, read key by key; every fault is noted, none ends the
/// reading.
package final class ContractSection {
  let place: Place
  let log: Log
  private let members: [(key: YAMLNode, value: YAMLNode)]

  /// The keys of a whole file; nil, with a fault, when it is of another kind. A file without the key
  /// that names its format may be any file: nothing of it is shown.
  ///
  /// - Parameters:
  ///   - name: the file's name in messages, such as `the recipe`.
  ///   - keys: every key that it may have, the one that names its format first.
  init?(file node: YAMLNode, name: String, keys: [String], log: Log) {
    guard case .mapping(let members) = node.content else {
      log.faults.add(.wrongType, node.place, "\(name) is \(node.form), expected a group of keys")
      return nil
    }
    self.members = members
    self.log = log
    place = node.place
    guard entries.contains(where: { $0.key.value == keys.first }) else {
      log.faults.add(
        .missingKey, node.place,
        "\(name) has no key '\(keys[0])', so that nothing else of it is read",
        hint: "start the file with '\(keys[0]): 1', if no other file was meant")
      return nil
    }
    allowOnly(keys)
  }

  /// A group of keys; nil, with a fault, for any other value.
  init?(_ node: YAMLNode, name: String, log: Log) {
    guard case .mapping(let members) = node.content else {
      log.faults.add(.wrongType, node.place, "\(name) is \(node.kind), expected a group of keys")
      return nil
    }
    self.members = members
    self.log = log
    place = node.place
  }

  /// The members, in the order written.
  var entries: [(key: Located<String>, value: YAMLNode)] {
    members.compactMap { member in
      guard case .scalar(let key, _) = member.key.content else { return nil }
      return (Located(value: key, place: member.key.place), member.value)
    }
  }

  /// A path that must be there; the system would cut one that holds a zero, and read another file.
  func path(_ key: String, mend: String) -> Located<String>? {
    guard let text = string(key, mend: mend) else { return nil }
    guard !text.value.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      fault(.badPath, text.place, "'\(key)' holds a control character")
      return nil
    }
    return text
  }

  /// Notes every key that is not known.
  func allowOnly(_ known: [String]) {
    for (key, _) in entries where !known.contains(key.value) {
      fault(
        .unknownKey, key.place, "unknown key '\(key.value.prefix(60).asciiEscaped)'",
        hint: Suggestion.hint(for: key.value, among: known))
    }
  }

  func fault(_ rule: Rule, _ place: Place, _ message: String, hint: String? = nil) {
    log.faults.add(rule, place, message, hint: hint)
  }

  /// The value of a key, if it is there.
  func node(_ key: String) -> YAMLNode? { entries.first { $0.key.value == key }?.value }

  /// The value of a key that must be there; notes a fault when it is not, or empty.
  func required(_ key: String, mend: String) -> YAMLNode? {
    guard let node = node(key) else {
      fault(.missingKey, place, "the key '\(key)' is missing", hint: mend)
      return nil
    }
    guard !node.isEmpty, node.string != "" else {
      fault(.missingKey, node.place, "'\(key)' is empty", hint: mend)
      return nil
    }
    return node
  }

  /// A text under a key that must be there.
  func string(_ key: String, mend: String) -> Located<String>? {
    required(key, mend: mend).flatMap { string(of: $0, key) }
  }

  /// A text under a key that may be there.
  func optionalString(_ key: String) -> Located<String>? {
    node(key).flatMap { string(of: $0, key) }
  }

  private func string(of node: YAMLNode, _ key: String) -> Located<String>? {
    guard let text = node.string else {
      fault(.wrongType, node.place, "'\(key)' is \(node.kind), expected a text")
      return nil
    }
    return Located(value: text, place: node.place)
  }

  /// One text, or several in a list, under an optional key; none when it is missing, nil with a
  /// fault for any other value.
  func optionalTexts(_ key: String) -> [Located<String>]? {
    guard let node = node(key) else { return [] }
    let nodes = if case .sequence(let nodes) = node.content { nodes } else { [node] }
    let texts = nodes.compactMap { node in
      node.string.flatMap { $0.isEmpty ? nil : Located(value: $0, place: node.place) }
    }
    if let wrong = nodes.first(where: { ($0.string ?? "").isEmpty }) {
      fault(
        .wrongType, wrong.place,
        "'\(key)' \(nodes.count > 1 ? "holds" : "is") \(wrong.string == "" ? "empty" : wrong.kind), "
          + "expected a text, or a list of texts")
    } else if nodes.isEmpty {
      fault(.wrongType, node.place, "'\(key)' is an empty list")
    }
    return texts.count == nodes.count && !nodes.isEmpty ? texts : nil
  }

  /// An integer under a key that may be there.
  func optionalInteger(_ key: String) -> Int? {
    guard let node = node(key) else { return nil }
    guard let value = node.integer else {
      fault(.wrongType, node.place, "'\(key)' is \(node.kind), expected a whole number")
      return nil
    }
    return value
  }

  /// A number under a key that may be there.
  func optionalDouble(_ key: String) -> Double? {
    guard let node = node(key) else { return nil }
    guard let value = node.double else {
      fault(.wrongType, node.place, "'\(key)' is \(node.kind), expected a number")
      return nil
    }
    return value
  }

  /// True or false under a key that may be there.
  func optionalBool(_ key: String) -> Located<Bool>? {
    guard let node = node(key) else { return nil }
    guard let value = node.bool else {
      fault(.wrongType, node.place, "'\(key)' is \(node.kind), expected true or false")
      return nil
    }
    return Located(value: value, place: node.place)
  }

  /// A group of keys under a key that must be there.
  func section(_ key: String, mend: String) -> ContractSection? {
    required(key, mend: mend).flatMap { ContractSection($0, name: "'\(key)'", log: log) }
  }
}
