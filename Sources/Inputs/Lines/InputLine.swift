import StrictJSON

/// One line of a file of inputs, whatever its form.
enum InputLine {
  /// One input alone.
  case single(PlacedInput)
  /// Two sides, each one input or several.
  case pair(PairLine)
  /// One input, its known output and its true label, if any.
  case sample(PlacedInput, KnownLine?, label: String?)

  /// Every input, in the order written.
  var inputs: [PlacedInput] {
    switch self {
    case .single(let input), .sample(let input, _, _): [input]
    case .pair(let pair): pair.a + pair.b
    }
  }
}

/// A line and the position of its content; lines count from the line itself.
struct PlacedLine {
  let content: InputLine
  let position: JSONPosition

  init(_ content: InputLine, _ position: JSONPosition = JSONPosition(line: 1, column: 1)) {
    self.content = content
    self.position = position
  }

  /// Every input, in the order written.
  var inputs: [PlacedInput] { content.inputs }
}

/// A pair as it was written.
struct PairLine {
  let a: [PlacedInput]
  let b: [PlacedInput]
  var similarity: Double?
  var expectation: ReferenceSet.Expectation?
}

/// The known output of an input, as it was written.
struct KnownLine: Equatable {
  /// Keys and columns: "output" for a model's output, "outcome" for an observation.
  static let keys = ["output", "outcome"]

  let values: [Float]
  /// Whether it was observed, rather than given by the model.
  let isOutcome: Bool

  init(_ values: [Float], key: String) {
    self.values = values
    isOutcome = key == KnownLine.keys[1]
  }
}

/// An input and where it was written; lines count from the line it is part of.
struct PlacedInput {
  let input: Input
  let position: JSONPosition
  /// The position of an image's path.
  let pathPosition: JSONPosition

  init(_ input: Input, _ position: JSONPosition, path: JSONPosition? = nil) {
    self.input = input
    self.position = position
    pathPosition = path ?? position
  }
}

/// The grammar of one JSON line.
///
/// It knows Ingot's own keys and those of libraries that publish sentence pairs.
enum JSONLineGrammar {
  /// Names of a label, in any monotone unit.
  static let labels = ["score", "label", "similarity"]
  /// Keys that data sets of sentence pairs add: numbers and sources of lines, unrelated to a
  /// model's output.
  static let harmless = [
    "id", "idx", "index", "old_index", "split", "dataset", "genre", "filename", "year", "source1",
    "source2",
  ]

  static func line(_ node: JSONNode, origin: String) throws(JSONError) -> InputLine {
    if let text = node.string { return .single(PlacedInput(.text(text), node.position)) }
    guard let object = node.object else {
      throw JSONError(
        origin: origin, position: node.position,
        fault: "a line is \(node.kind), expected \(Input.form), or a line of a reference set")
    }
    let isPair = object["a"] != nil || object["b"] != nil
    let isSentencePair = object["sentence1"] != nil || object["sentence2"] != nil
    guard [isPair, isSentencePair, object["input"] != nil].filter(\.self).count < 2 else {
      throw object.error(
        "a line is a pair ('a' and 'b') or a sample ('input'), not both", at: object.position)
    }
    if isPair { return .pair(try pair(object)) }
    if isSentencePair { return .pair(try sentencePair(object)) }
    if object["input"] != nil { return try sample(object) }
    // The error for an unknown line lists all keys that a line may begin with.
    if !inputKeys.contains(where: { object[$0] != nil }) { try object.allowOnly(lineKeys) }
    return .single(try input(object))
  }

  private static let inputKeys = ["image", "text", "text_pair", "values"]
  private static let lineKeys = ["a", "b", "sentence1", "sentence2", "input"] + inputKeys

  private static func pair(_ object: JSONObject) throws(JSONError) -> PairLine {
    try object.allowOnly(["a", "b", "similarity", "expect"])
    return PairLine(
      a: try side("a", of: object), b: try side("b", of: object),
      similarity: object["similarity"] == nil ? nil : try object.double("similarity"),
      expectation: try expectation(object))
  }

  private static func sentencePair(_ object: JSONObject) throws(JSONError) -> PairLine {
    try object.allowOnly(["sentence1", "sentence2"] + labels + ["expect"] + harmless)
    let named = labels.filter { object[$0] != nil }
    guard named.count < 2 else {
      throw object.error(
        "a pair has one label, '\(named[0])' and '\(named[1])' are two", at: object.position)
    }
    return PairLine(
      a: try side("sentence1", of: object), b: try side("sentence2", of: object),
      similarity: try named.first.map { (name) throws(JSONError) in try object.double(name) },
      expectation: try expectation(object))
  }

  private static func expectation(
    _ object: JSONObject
  ) throws(JSONError) -> ReferenceSet.Expectation? {
    guard let node = object["expect"] else { return nil }
    guard let expectation = node.string.flatMap(ReferenceSet.Expectation.init(rawValue:)) else {
      throw object.mismatch("expect", expected: "\"match\" or \"mismatch\"", node)
    }
    return expectation
  }

  private static func sample(_ object: JSONObject) throws(JSONError) -> InputLine {
    try object.allowOnly(["input"] + KnownLine.keys + [labelKey])
    let input = try self.input("input", of: object)
    let keys = KnownLine.keys.filter { object[$0] != nil }
    guard keys.count < 2 else {
      throw object.error(
        "a sample has 'output', what the model gives, or 'outcome', what was observed, not both",
        at: object.position)
    }
    return .sample(
      input,
      try keys.first.map { (key) throws(JSONError) in
        KnownLine(try Input.floats(key, of: object), key: key)
      }, label: try trueLabel(of: object))
  }

  /// The key of a sample's true label.
  private static let labelKey = "label"

  /// A true label as a table would write it.
  private static func trueLabel(of object: JSONObject) throws(JSONError) -> String? {
    guard let node = object[labelKey] else { return nil }
    guard let text = node.string ?? node.integer.map(String.init), !text.isEmpty else {
      throw object.mismatch(labelKey, expected: "a text or a whole number", node)
    }
    return text
  }

  // One input, or several of one kind under `anyOf`.
  private static func side(
    _ key: String, of parent: JSONObject
  ) throws(JSONError) -> [PlacedInput] {
    guard let object = try parent.required(key).object, let list = object["anyOf"] else {
      return [try input(key, of: parent)]
    }
    try object.allowOnly(["anyOf"])
    let alternatives = try object.array("anyOf")
    guard (1...ReferenceReader.maxAlternatives).contains(alternatives.count) else {
      throw object.error(
        "'anyOf' has \(Figures.count(alternatives.count, "alternative")), "
          + "expected 1 to \(ReferenceReader.maxAlternatives)", at: list.position)
    }
    var inputs: [PlacedInput] = []
    for node in alternatives {
      let input = try alternative(node, in: object)
      if let first = inputs.first, first.input.kind != input.input.kind {
        throw object.error(
          "an alternative is \(input.input.kind.words), the first is "
            + "\(first.input.kind.words); all are of one kind", at: node.position)
      }
      inputs.append(input)
    }
    return inputs
  }

  private static func alternative(
    _ node: JSONNode, in parent: JSONObject
  ) throws(JSONError) -> PlacedInput {
    if let text = node.string { return PlacedInput(.text(text), node.position) }
    guard let object = node.object else {
      throw parent.error(
        "an alternative of 'anyOf' is \(node.kind), expected \(Input.form)", at: node.position)
    }
    guard object["anyOf"] == nil else {
      throw object.error("an 'anyOf' holds another; they do not nest", at: node.position)
    }
    return try input(object)
  }

  private static func input(
    _ key: String, of parent: JSONObject
  ) throws(JSONError) -> PlacedInput {
    let node = try parent.required(key)
    if let text = node.string { return PlacedInput(.text(text), node.position) }
    guard let object = node.object else {
      throw parent.mismatch(key, expected: Input.form, node)
    }
    return try input(object)
  }

  private static func input(_ object: JSONObject) throws(JSONError) -> PlacedInput {
    PlacedInput(try Input(object), object.position, path: object["image"]?.position)
  }
}
