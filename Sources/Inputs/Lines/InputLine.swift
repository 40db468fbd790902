import StrictJSON

/// One line of a file of inputs, whatever its form.
enum InputLine {
  /// One input alone.
  case single(PlacedInput)
  /// Two sides, each one input or several.
  case pair(PairLine)
  /// One input and its known output, if any.
  case sample(PlacedInput, KnownLine?)

  /// Every input, in the order written.
  var inputs: [PlacedInput] {
    switch self {
    case .single(let input), .sample(let input, _): [input]
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
