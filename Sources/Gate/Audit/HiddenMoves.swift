import Files
import Graph
import Inputs
import StrictJSON
import Weights

/// Looks for tables whose reached rows moved where no reference sees it: rows that no reference
/// reaches are compared with them, and could be anything.
///
/// The baseline runs with the candidate's table, and with rows that moved as far at random, over a
/// few inputs.
struct HiddenMoves {
  let evaluation: Evaluation
  /// Outputs of all distinct inputs.
  let before: OutputMatrix
  let after: OutputMatrix

  /// Of so many inputs one is run again.
  private static let share = 25
  /// Inputs that are run again, as long as there are as many.
  private static let counts = 8...64

  /// The rows that moved too far once a table explains no more than outputs show, one finding for
  /// each table that has any.
  ///
  /// - Parameter runner: of the baseline.
  func findings(_ audit: EncoderAudit, _ runner: ModelRunner) throws -> [RowFinding] {
    guard !audit.farTables.isEmpty, let candidate = audit.replacements else { return [] }
    let baseline = runner.model
    defer { runner.forgetWeights() }
    let whole = drift(before, after, audit.slot.inputs, audit.slot.inputs)
    let sample = HiddenMoves.sample(of: audit.slot.inputs)
    return try audit.farTables.compactMap { table in
      let name = table.reference.name
      try Memory.require(
        16 * table.reference.elementCount, for: "moving the rows of weight \(quoted(name))",
        of: baseline.origin)
      let old = try baseline.weights.floats(of: name), new = try candidate.floats(of: name)
      let shape = baseline.weights.shape(of: name)
      func drift(_ values: [Float]) throws -> Double {
        try effect(of: OneWeight(name: name, shape: shape, values), runner, sample)
      }
      // Other weights may hide what the table shows alone, or show more than it does.
      let own = try drift(new)
      guard
        ShownError.isQuestioned(
          typical: table.typical, drift: evaluation.givesEmbeddings ? own : nil)
      else { return nil }
      let shown = ShownError(
        noise: try drift(table.scrambled(old)), candidate: min(whole, own)
      ).part(of: table.typical)
      guard shown < table.typical else { return nil }
      let count = table.reference.elementCount
      return table.refused(
        old: Array(old.prefix(count)), new: Array(new.prefix(count)), shown: shown)
    }
  }

  /// Inputs spread evenly.
  static func sample(of inputs: [Int]) -> [Int] {
    let wanted = min(max(inputs.count / share, counts.lowerBound), counts.upperBound)
    guard inputs.count > wanted else { return inputs }
    return (0..<wanted).map { inputs[$0 * inputs.count / wanted] }
  }

  /// Measures what one weight, put in the baseline's place, does to some inputs.
  private func effect(of weight: OneWeight, _ runner: ModelRunner, _ sample: [Int]) throws -> Double
  {
    let swapped = runner.replacing([weight.name], by: weight)
    let images = evaluation.references.images
    let outputs = try evaluation.references.naming(sample) {
      try swapped.outputs(for: $0, images: images)
    }
    return drift(before, outputs, sample, Array(sample.indices))
  }

  /// How far rows moved on average: 1 − cosine of embeddings, the square of the change of others.
  private func drift(
    _ before: OutputMatrix, _ after: OutputMatrix, _ rows: [Int], _ others: [Int]
  ) -> Double {
    let old = before.picking(rows), new = after.picking(others)
    guard old.rowCount > 0, old.width == new.width else { return .infinity }
    guard evaluation.givesEmbeddings else {
      let squares = zip(old.values, new.values).reduce(0) {
        $0 + (Double($1.0) - Double($1.1)) * (Double($1.0) - Double($1.1))
      }
      return squares / Double(old.rowCount)
    }
    let first = Vectors(old), second = Vectors(new)
    let drift = (0..<old.rowCount).reduce(0) { $0 + 1 - first.cosine($1, of: second, $1) }
    return drift.isFinite ? max(0, drift) / Double(old.rowCount) : .infinity
  }
}

/// Values in the place of one weight.
private struct OneWeight: WeightSource {
  let name: TensorName
  let place: [Int]?
  let values: [Float]

  init(name: TensorName, shape: [Int]?, _ values: [Float]) {
    (self.name, place, self.values) = (name, shape, values)
  }

  var names: [TensorName] { [name] }

  func shape(of name: TensorName) -> [Int]? { place }

  func floats(of name: TensorName) throws -> [Float] { values }
}
