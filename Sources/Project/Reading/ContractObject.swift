import Packaging
import StrictJSON

/// One object of a customer list, read key by key; every fault is noted, none ends the reading.
struct ContractObject {
  /// The list that holds the object, and the log of its faults.
  struct Context {
    let file: String
    let log: ContractSection.Log

    func fault(
      _ rule: Rule, _ position: JSONPosition, _ message: String, hint: String? = nil
    ) {
      log.faults.add(rule, place(position), message, hint: hint)
    }

    func place(_ position: JSONPosition) -> Place {
      Place(file: file, line: position.line, column: position.column)
    }
  }

  let context: Context
  private let object: JSONObject

  /// An object; nil, with a fault, for any other value.
  ///
  /// - Parameter known: the keys that mean something; another one that looks like one of them, which
  ///   is not there, is doubtful.
  init?(_ node: JSONNode, name: String, known: [String], _ context: Context) {
    guard let object = node.object else {
      context.fault(
        .wrongType, node.position, "\(name) is \(node.form), expected an object")
      return nil
    }
    self.object = object
    self.context = context
    let missing = known.filter { object[$0] == nil }
    for (key, value) in object.members where !missing.isEmpty && !known.contains(key) {
      guard let near = Suggestion.nearest(to: key, among: missing) else { continue }
      context.fault(
        .doubtfulKey, value.position,
        "the key '\(key.prefix(60).asciiEscaped)' means nothing here",
        hint: "did you mean '\(near)'?")
    }
  }

  /// Whether a key is there with another value than null.
  func has(_ key: String) -> Bool { object.has(key) }

  /// The value of a key that must be there; notes a fault when it is not.
  func required(_ key: String) -> JSONNode? {
    guard let node = object[key] else {
      context.fault(.missingKey, object.position, "the key '\(key)' is missing")
      return nil
    }
    return node
  }

  /// A string under a key that must be there, and its place.
  func string(_ key: String) -> (String, JSONPosition)? {
    guard let node = required(key) else { return nil }
    guard let text = node.string else {
      context.fault(
        .wrongType, node.position, "'\(key)' is \(node.form), expected a string")
      return nil
    }
    return (text, node.position)
  }

  /// An array under a key that must be there, and its place.
  func array(_ key: String) -> (elements: [JSONNode], position: JSONPosition)? {
    guard let node = required(key) else { return nil }
    guard let elements = node.array else {
      context.fault(
        .wrongType, node.position, "'\(key)' is \(node.form), expected an array")
      return nil
    }
    return (elements, node.position)
  }
}

extension JSONNode {
  /// Words that describe this value and show nothing of it, for files that may be of any kind.
  var form: String {
    switch content {
    case .string(let text): "a string of \(Figures.count(text.unicodeScalars.count, "character"))"
    case .number: "a number"
    default: kind
    }
  }
}
