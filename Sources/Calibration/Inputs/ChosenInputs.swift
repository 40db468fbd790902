import Graph
import Inputs

/// The inputs of a calibration set that a model takes, or some of them.
struct ChosenInputs {
  private let set: CalibrationSet
  /// Numbers in the set, ascending.
  let numbers: [Int]

  /// Chooses evenly over the set's order.
  ///
  /// Inputs of another kind are wrong, unless they are for another encoder of the same model.
  ///
  /// - Throws: `EvaluationError.unusableLine`, `CalibrationError.nothingUsable`.
  init(_ set: CalibrationSet, for model: Model, maximum: Int) throws {
    let input = model.architecture.input
    let set = try set.arranged(for: input)
    var usable: [Int] = []
    for (number, given) in set.inputs.enumerated() {
      if given.kind == model.kind {
        usable.append(number)
      } else if model.architecture.encoder == nil || given.kind.encoder == nil {
        throw EvaluationError.unusableLine(
          origin: set.origin, line: set.lines[number], input: given.label,
          fault: "is \(given.words), the model takes \(model.architecture.inputWords)")
      }
    }
    guard !usable.isEmpty else {
      throw CalibrationError.nothingUsable(
        calibration: set.origin, needed: model.architecture.inputWords)
    }
    self.set = set
    numbers = EvenChoice.indices(of: usable.count, maximum: max(1, maximum)).map { usable[$0] }
  }

  /// Prepares them, in their order.
  ///
  /// - Throws: `EvaluationError` with file and line of one that the model cannot take.
  func read(with reader: InputReader) throws -> [SingleInput] {
    try naming { try reader.read($0, images: set.images) }
  }

  /// Checks that the model takes them, without preparing them.
  ///
  /// - Throws: as `read`, and errors of reading a tokenizer.
  func check(for model: Model) throws { try naming { try ModelRunner.check($0, for: model) } }

  private func naming<Result>(_ work: ([Input]) throws -> Result) throws -> Result {
    do {
      return try work(numbers.map { set.inputs[$0] })
    } catch let error as EvaluationError {
      throw error.placed(in: set.origin) { set.lines[numbers[$0]] }
    }
  }
}

/// Chooses some of many things, spread evenly over their order.
enum EvenChoice {
  /// At most `maximum` of the numbers 0 ..< count, ascending: the middles of equal stretches.
  static func indices(of count: Int, maximum: Int) -> [Int] {
    if count <= maximum { return Array(0..<count) }
    return (0..<max(0, maximum)).map { (2 * $0 + 1) * count / (2 * maximum) }
  }
}
