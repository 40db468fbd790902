import StrictJSON

/// Reads the lines of a reference set and numbers its distinct inputs.
struct ReferenceReader {
  /// Most alternatives of one side.
  static let mostAlternatives = 64

  /// An image, by its path, and where it was named first.
  struct NamedImage {
    let path: String
    let position: JSONPosition
  }

  private let origin: String
  private var pairs: [ReferenceSet.Pair] = []
  private var samples: [ReferenceSet.Sample] = []
  private var numberOfInput: [Input: Int] = [:]
  private(set) var inputs: [Input] = []
  private(set) var lines: [Int] = []
  /// Every distinct image once, in the order of first use.
  private(set) var images: [NamedImage] = []

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
    let a = try side("a", of: object, line)
    let b = try side("b", of: object, line)
    pairs.append(
      ReferenceSet.Pair(
        a: a, b: b,
        similarity: object["similarity"] == nil ? nil : try object.double("similarity"),
        expectation: try expectation(object), line: line))
  }

  // One input, or several of one kind under `anyOf`.
  private mutating func side(
    _ key: String, of parent: JSONObject, _ line: Int
  ) throws(JSONError) -> [Int] {
    let node = try parent.required(key)
    guard let object = node.object else {
      throw parent.mismatch(key, expected: Input.form, node)
    }
    guard let list = object["anyOf"] else { return [try number(of: object, line)] }
    try object.allowOnly(["anyOf"])
    let alternatives = try object.array("anyOf")
    guard (1...ReferenceReader.mostAlternatives).contains(alternatives.count) else {
      throw object.error(
        "'anyOf' has \(Figures.count(alternatives.count, "alternative")), "
          + "expected 1 to \(ReferenceReader.mostAlternatives)", at: list.position)
    }
    var numbers: [Int] = []
    for node in alternatives { numbers.append(try number(ofAlternative: node, in: object, line)) }
    let first = inputs[numbers[0]].kind
    if let other = numbers.firstIndex(where: { inputs[$0].kind != first }) {
      throw object.error(
        "an alternative is \(inputs[numbers[other]].kind.words), the first is \(first.words); "
          + "all are of one kind", at: alternatives[other].position)
    }
    return numbers
  }

  private mutating func number(
    ofAlternative node: JSONNode, in parent: JSONObject, _ line: Int
  ) throws(JSONError) -> Int {
    guard let object = node.object else {
      throw parent.error(
        "an alternative of 'anyOf' is \(node.kind), expected \(Input.form)", at: node.position)
    }
    guard object["anyOf"] == nil else {
      throw object.error("an 'anyOf' holds another; they do not nest", at: node.position)
    }
    return try number(of: object, line)
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
    let node = try object.required("input")
    guard let inner = node.object else {
      throw object.mismatch("input", expected: Input.form, node)
    }
    let input = try number(of: inner, line)
    let output = object["output"] == nil ? nil : try Input.floats("output", of: object)
    samples.append(ReferenceSet.Sample(input: input, output: output, line: line))
  }

  private mutating func number(of object: JSONObject, _ line: Int) throws(JSONError) -> Int {
    let input = try Input(object)
    if let number = numberOfInput[input] { return number }
    guard inputs.count < ReferenceSet.inputLimit else {
      throw object.error(
        "the set has more than \(ReferenceSet.inputLimit) distinct inputs", at: object.position)
    }
    if case .image(let path) = input {
      let column = try object.required("image").position.column
      images.append(
        NamedImage(path: path, position: JSONPosition(line: line, column: column)))
    }
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
