import StrictJSON

/// Takes the lines of a reference set and numbers its distinct inputs.
struct ReferenceReader {
  /// Most alternatives of one side.
  static let maxAlternatives = 64

  private let origin: String
  private var pairs: [ReferenceSet.Pair] = []
  private var samples: [ReferenceSet.Sample] = []
  /// The first sample with a known output.
  private var firstKnown: ReferenceSet.Sample?
  private var numberOfInput: [Input: Int] = [:]
  private(set) var inputs: [Input] = []
  private(set) var lines: [Int] = []
  /// Every distinct image once, in the order of first use.
  private(set) var images: [NamedImage] = []

  init(origin: String) { self.origin = origin }

  /// - Parameter number: the line in the file, from 1.
  /// - Throws: `JSONError` whose lines count from this one.
  mutating func read(_ line: PlacedLine, _ number: Int) throws(JSONError) {
    switch line.content {
    case .pair(let pair):
      if let first = samples.first {
        throw fault(
          "this line is a pair, line \(first.line) is a sample; a set holds one kind", line)
      }
      pairs.append(
        ReferenceSet.Pair(
          a: try numbers(of: pair.a, number), b: try numbers(of: pair.b, number),
          similarity: pair.similarity, expectation: pair.expectation, line: number))
    case .sample(let input, let known, let label):
      if let first = pairs.first {
        throw fault(
          "this line is a sample, line \(first.line) is a pair; a set holds one kind", line)
      }
      let sample = ReferenceSet.Sample(
        input: try self.number(of: input, number), output: known?.values, line: number,
        isOutcome: known?.isOutcome ?? false, label: label)
      if known != nil { try requireOneKind(sample, line) }
      samples.append(sample)
    case .single:
      throw fault("a line needs 'a' and 'b' (a pair) or 'input' (a sample)", line)
    }
  }

  // A set holds either outputs, which a model must match, or outcomes, which it need not.
  private mutating func requireOneKind(
    _ sample: ReferenceSet.Sample, _ line: PlacedLine
  ) throws(JSONError) {
    guard let first = firstKnown else {
      firstKnown = sample
      return
    }
    guard first.isOutcome == sample.isOutcome else {
      throw fault(
        "this line has '\(sample.key)', line \(first.line) has '\(first.key)'; a set knows one of the "
          + "two", line)
    }
  }

  private mutating func numbers(
    of inputs: [PlacedInput], _ line: Int
  ) throws(JSONError) -> [Int] {
    var numbers: [Int] = []
    for input in inputs { numbers.append(try number(of: input, line)) }
    return numbers
  }

  private mutating func number(of placed: PlacedInput, _ line: Int) throws(JSONError) -> Int {
    let input = placed.input
    if let number = numberOfInput[input] { return number }
    guard inputs.count < ReferenceSet.inputLimit else {
      throw JSONError(
        origin: origin, position: placed.position,
        fault: "the set has more than \(ReferenceSet.inputLimit) distinct inputs")
    }
    if let image = NamedImage(placed, line: line) { images.append(image) }
    numberOfInput[input] = inputs.count
    inputs.append(input)
    lines.append(line)
    return inputs.count - 1
  }

  private func fault(_ fault: String, _ line: PlacedLine) -> JSONError {
    JSONError(origin: origin, position: line.position, fault: fault)
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

extension ReferenceSet.Sample {
  /// The key that its known output was given by.
  package var key: String { KnownLine.keys[isOutcome ? 1 : 0] }
}
