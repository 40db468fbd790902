import Files
import Graph
import Inputs
import StrictJSON
import Weights

/// Looks for weights whose reached rows or columns moved where no reference sees it: those that no reference
/// reaches are compared with them, and could be anything.
///
/// The baseline runs with the candidate's weight, and with rows that moved as far at random, over a
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
  /// As many of rows of features, which cost little.
  private static let rowCount = 512

  /// The rows and columns that moved too far once others explain no more than outputs show, one finding for
  /// each weight that has any.
  ///
  /// - Parameter runner: of the baseline.
  func findings(_ audit: EncoderAudit, _ runner: ModelRunner) throws -> [RowFinding] {
    guard let candidate = audit.replacements else { return [] }
    defer { runner.forgetWeights() }
    return try tables(audit, candidate, runner) + lines(audit, candidate, runner)
  }

  private func tables(
    _ audit: EncoderAudit, _ candidate: MatchedWeights, _ runner: ModelRunner
  ) throws -> [RowFinding] {
    let whole = drift(before, after, audit.slot.inputs, audit.slot.inputs)
    let sample = HiddenMoves.sample(of: audit.slot.inputs)
    return try audit.farTables.compactMap { table in
      let moved = try MovedWeight(table.reference, runner.model, candidate)
      // Other weights may hide what the table shows alone, or show more than it does.
      let own = try effect(of: moved.holding(moved.new), runner, sample)
      guard
        ShownError.isQuestioned(
          typical: table.typical, drift: evaluation.givesEmbeddings ? own : nil)
      else { return nil }
      let noise = try effect(of: moved.holding(table.scrambled(moved.old)), runner, sample)
      let shown = ShownError(noise: noise, candidate: min(whole, own)).part(of: table.typical)
      guard shown < table.typical else { return nil }
      let count = table.reference.elementCount
      return table.refused(
        old: Array(moved.old.prefix(count)), new: Array(moved.new.prefix(count)), shown: shown)
    }
  }

  /// Lines of models of features.
  private func lines(
    _ audit: EncoderAudit, _ candidate: MatchedWeights, _ runner: ModelRunner
  ) throws -> [RowFinding] {
    let inputs = audit.slot.inputs
    let sample = HiddenMoves.spread(inputs, HiddenMoves.rowCount)
    return try audit.excusedLines.compactMap { lines in
      let moved = try MovedWeight(lines.reference, runner.model, candidate)
      let own = try effect(of: moved.holding(moved.new), runner, sample)
      let noise = try effect(
        of: moved.holding(lines.scrambled(old: moved.old, new: moved.new)), runner, sample)
      let shown = ShownError(
        noise: noise, candidate: min(drift(before, after, sample, sample), own)
      )
      .part(of: 1)
      return shown < 1 ? lines.refused(old: moved.old, new: moved.new, shown: shown) : nil
    }
  }

  /// Inputs spread evenly.
  static func sample(of inputs: [Int]) -> [Int] {
    spread(inputs, min(max(inputs.count / share, counts.lowerBound), counts.upperBound))
  }

  private static func spread(_ inputs: [Int], _ wanted: Int) -> [Int] {
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

/// One weight as the baseline has it and as the candidate has it.
private struct MovedWeight {
  let name: TensorName
  let old: [Float]
  let new: [Float]
  private let others: any WeightSource

  init(_ reference: WeightReference, _ baseline: Model, _ candidate: MatchedWeights) throws {
    name = reference.name
    try Memory.require(
      16 * reference.elementCount, for: "moving the rows of weight \(quoted(name))",
      of: baseline.origin)
    (old, new) = (try baseline.weights.floats(of: name), try candidate.floats(of: name))
    others = baseline.weights
  }

  /// Other numbers in its place.
  func holding(_ values: [Float]) -> OneWeight {
    OneWeight(name: name, values: values, others: others)
  }
}

/// Values in the place of one weight. Trees ask for all of theirs together.
private struct OneWeight: WeightSource {
  let name: TensorName
  let values: [Float]
  let others: any WeightSource

  var names: [TensorName] { others.names }

  func shape(of name: TensorName) -> [Int]? { others.shape(of: name) }

  func floats(of name: TensorName) throws -> [Float] {
    name == self.name ? values : try others.floats(of: name)
  }

  func doubles(of name: TensorName) throws -> [Double] {
    name == self.name ? values.map(Double.init) : try others.doubles(of: name)
  }

  func wholeNumberType(of name: TensorName) -> String? { others.wholeNumberType(of: name) }
}
