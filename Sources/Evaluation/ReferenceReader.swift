import StrictJSON

/// Reads the lines of a reference set and numbers its distinct inputs.
struct ReferenceReader {
  private let origin: String
  private var pairs: [ReferenceSet.Pair] = []
  private var samples: [ReferenceSet.Sample] = []
  private var numberOfInput: [Input: Int] = [:]
  private(set) var inputs: [Input] = []
  private(set) var lines: [Int] = []

  init(origin: String) { self.origin = origin }

  mutating func read(_ node: JSONNode, line: Int) throws(JSONError) {
    guard let object = node.object else {
      throw JSONError(
        origin: origin, position: node.position,
        fault: "a line is \(node.kind), expected an object")
    }
    switch (object["a"] != nil || object["b"] != nil, object["input"] != nil) {
    case (true, false): try readPair(object, line)
    case (false, true): try readSample(object, line)
    case (true, true):
      throw object.error(
        "a line is a pair ('a' and 'b') or a sample ('input'), not both", at: object.position)
    case (false, false):
      throw object.error(
        "a line needs 'a' and 'b' (a pair) or 'input' (a sample)", at: object.position)
    }
  }

  private mutating func readPair(_ object: JSONObject, _ line: Int) throws(JSONError) {
    try object.allowOnly(["a", "b", "similarity", "expect"])
    if let first = samples.first {
      throw object.error(
        "a pair stands here, line \(first.line) is a sample; a set holds one kind",
        at: object.position)
    }
    let a = number(of: try Input(try object.required("a"), key: "a", in: object), line)
    let b = number(of: try Input(try object.required("b"), key: "b", in: object), line)
    pairs.append(
      ReferenceSet.Pair(
        a: a, b: b,
        similarity: object["similarity"] == nil ? nil : try object.double("similarity"),
        expectation: try expectation(object), line: line))
  }

  private func expectation(_ object: JSONObject) throws(JSONError) -> ReferenceSet.Expectation? {
    guard let node = object["expect"] else { return nil }
    guard let expectation = node.string.flatMap(ReferenceSet.Expectation.init(rawValue:)) else {
      throw object.mismatch("expect", expected: "\"match\" or \"mismatch\"", node)
    }
    return expectation
  }

  private mutating func readSample(_ object: JSONObject, _ line: Int) throws(JSONError) {
    try object.allowOnly(["input", "output"])
    if let first = pairs.first {
      throw object.error(
        "a sample stands here, line \(first.line) is a pair; a set holds one kind",
        at: object.position)
    }
    let input = number(of: try Input(try object.required("input"), key: "input", in: object), line)
    let output = object["output"] == nil ? nil : try Input.floats("output", of: object)
    samples.append(ReferenceSet.Sample(input: input, output: output, line: line))
  }

  private mutating func number(of input: Input, _ line: Int) -> Int {
    if let number = numberOfInput[input] { return number }
    numberOfInput[input] = inputs.count
    inputs.append(input)
    lines.append(line)
    return inputs.count - 1
  }

  /// The whole set, once every line is read.
  func finish() throws(JSONError) -> ReferenceSet.Content {
    func fault(_ fault: String) -> JSONError {
      JSONError(origin: origin, position: JSONPosition(line: 1, column: 1), fault: fault)
    }
    if pairs.isEmpty && samples.isEmpty {
      throw fault("the reference set is empty; a model cannot be judged on nothing")
    }
    if !samples.isEmpty { return .samples(samples) }
    guard inputs.count > 1 else {
      throw fault("every pair holds the same input; at least two different ones are needed")
    }
    return .pairs(pairs)
  }
}
