import Evaluation
import StrictJSON

/// Reads the lines of a calibration set and numbers its distinct inputs.
struct CalibrationReader {
  private let origin: String
  private var seen: Set<Input> = []
  private(set) var inputs: [Input] = []
  /// Line of the first use of each input, from 1.
  private(set) var lines: [Int] = []

  init(origin: String) { self.origin = origin }

  mutating func read(_ node: JSONNode, line: Int) throws(JSONError) {
    if let text = node.string { return add(.text(text), line) }
    guard let object = node.object else {
      throw JSONError(
        origin: origin, position: node.position,
        fault: "a line is \(node.kind), expected a string, \(Input.form), or a line of a "
          + "reference set")
    }
    if object["input"] != nil {
      try object.allowOnly(["input", "output"])
      try addSide("input", of: object, line)
    } else if object["a"] != nil || object["b"] != nil {
      try object.allowOnly(["a", "b", "similarity", "expect"])
      try addSide("a", of: object, line)
      try addSide("b", of: object, line)
    } else {
      add(try Input(object), line)
    }
  }

  // One input, or several under `anyOf`.
  private mutating func addSide(
    _ key: String, of parent: JSONObject, _ line: Int
  ) throws(JSONError) {
    let node = try parent.required(key)
    guard let object = node.object else {
      throw parent.mismatch(key, expected: Input.form, node)
    }
    guard object["anyOf"] != nil else { return add(try Input(object), line) }
    try object.allowOnly(["anyOf"])
    for node in try object.array("anyOf") {
      guard let alternative = node.object else {
        throw object.error(
          "an alternative of 'anyOf' is \(node.kind), expected \(Input.form)", at: node.position)
      }
      add(try Input(alternative), line)
    }
  }

  private mutating func add(_ input: Input, _ line: Int) {
    guard seen.insert(input).inserted else { return }
    inputs.append(input)
    lines.append(line)
  }
}
