package import Graph
package import Inputs
import StrictJSON

/// Compares the outputs of a baseline with those that a reference set knows to be right. Pure.
///
/// Known outputs are what the model itself gave where it was trained, and then each must be met; or
/// they are outcomes that were observed, and then they must not contradict the model.
/// Which of the two they are the set says, or shows in the numbers; `specs/formats/reference-set.md`
/// has the rules.
struct KnownOutputs {
  /// Largest difference of a known output that is met; rounding to two decimals stays within it.
  static let tolerance = 0.01
  /// No model comes this close to a measured value by chance.
  static let closeTolerance = 0.001
  /// Measured values below which their mean says nothing.
  static let fewestOutcomes = 8

  private let references: ReferenceSet
  private let samples: [ReferenceSet.Sample]
  private let meaning: ModelOutput
  /// The known outputs and the baseline's: a row for each of `samples`.
  private let known: OutputMatrix
  private let found: OutputMatrix
  /// Largest difference of each row, and its column.
  private let differences: [(value: Double, column: Int)]

  /// Nil if nothing is known, or nothing says what the outputs mean.
  ///
  /// - Parameter baseline: one row per distinct input of the set, all finite.
  init?(of references: ReferenceSet, meaning: ModelOutput?, baseline: OutputMatrix) {
    let references = references.fitting(meaning)
    guard case .samples(let all) = references.content, let meaning else { return nil }
    samples = all.filter { $0.output?.count == baseline.width }
    guard !samples.isEmpty else { return nil }
    self.references = references
    self.meaning = meaning
    known = OutputMatrix(
      rowCount: samples.count, width: baseline.width, values: samples.flatMap { $0.output ?? [] })
    found = baseline.picking(samples.map(\.input))
    differences = KnownOutputs.differences(found, known, meaning)
  }

  private static func differences(
    _ found: OutputMatrix, _ known: OutputMatrix, _ meaning: ModelOutput
  ) -> [(value: Double, column: Int)] {
    let units = units(found, known, meaning)
    return (0..<known.rowCount).map { row in
      let all = zip(zip(found[row], known[row]), units).map {
        DriftUnit.measure(
          (Double($0.0) - Double($0.1)).magnitude, unit: $1, size: Double($0.1))
      }
      let column = all.indices.max { all[$0] < all[$1] } ?? 0
      return (all[column], column)
    }
  }

  /// The unit of differences, for each column: the range of the known values; if those are all
  /// alike, their size, or the range of the baseline's if that is larger.
  private static func units(
    _ found: OutputMatrix, _ known: OutputMatrix, _ meaning: ModelOutput
  ) -> [Double] {
    let unit = DriftUnit(meaning)
    return zip(unit.sizes(of: known), unit.sizes(of: found)).enumerated().map { column, sizes in
      guard sizes.0 == 0 else { return sizes.0 }
      let size = max(Double(known[0][known[0].startIndex + column]).magnitude, sizes.1)
      return size > 0 ? size : 1
    }
  }

  /// Whether the set itself says that they were observed.
  private var areStatedOutcomes: Bool { samples.contains(where: \.isOutcome) }

  /// The check of known outputs, for a receipt.
  ///
  /// - Throws: `EvaluationError.missedOutputs` when the baseline misses them.
  func record() throws(EvaluationError) -> KnownRecord {
    if isClasses, !areOutcomesOfScores, OutputHints.areOutside(found, known) {
      throw missed(
        "are labels or probabilities, from 0 to 1; the baseline's outputs are not",
        hint: activationHint)
    }
    let areObserved = areStatedOutcomes || isOutcomes
    let form = areObserved ? try outcomes() : try outputs()
    return KnownRecord(
      form: form, samples: samples.count,
      maxDifference: Statistics.max(differences.map(\.value)))
  }

  // Scores of any size rank labels that were observed.
  private var areOutcomesOfScores: Bool { areStatedOutcomes && isScores }

  private var isScores: Bool {
    if case .classes(_, _, .scores) = meaning { true } else { false }
  }

  private var activationHint: String? {
    OutputHints.activation(ours: found, given: known).map {
      $0.sentence
        + (isScores && areLabels ? ", or write labels that were observed as 'outcome'" : "")
    }
  }

  private var isClasses: Bool { if case .classes = meaning { true } else { false } }

  private var isMet: Bool { differences.allSatisfy { $0.value <= KnownOutputs.tolerance } }

  private var areLabels: Bool { known.values.allSatisfy { $0 == 0 || $0 == 1 } }

  // Labels are outcomes. A baseline hardly meets a number by chance, and measured values do not
  // have seven digits.
  private var isOutcomes: Bool {
    if isClasses { return areLabels }
    if isMet || ComputedNumbers.areMost(known.values) { return false }
    let close = differences.filter { $0.value <= KnownOutputs.closeTolerance }.count
    return close * 2 < differences.count
  }

  private func outputs() throws(EvaluationError) -> KnownRecord.Form {
    guard isMet else {
      let missed = differences.filter { $0.value > KnownOutputs.tolerance }.count
      throw self.missed("are missed on \(missed) of \(Figures.count(samples.count, "sample"))")
    }
    return .outputs
  }

  private func outcomes() throws(EvaluationError) -> KnownRecord.Form {
    if isClasses {
      guard areLabels else {
        throw missed(
          "are outcomes of a classifier and not all labels, 0 or 1",
          hint: "write probabilities that the model gave as 'output'")
      }
      try requireNoContradiction()
    } else {
      try requireUse()
    }
    return .outcomes
  }

  // A model that labels are surely ranked against was not read as it was trained. A weak one may
  // miss most of them: then they prove nothing, and that is said.
  private func requireNoContradiction() throws(EvaluationError) {
    guard let ranked = RankedLabels(outputs: found, labels: known), ranked.contradict else {
      return
    }
    throw missed(
      "are labels that the baseline ranks the wrong way round: its outputs are in their order in "
        + "\(Figures.text(ranked.area, decimals: 3)) of the pairs, chance is 0.5, and scatter leaves "
        + "no less than \(Figures.text(ranked.minByScatter, decimals: 3))",
      hint: "the labels may be in another order, or features in another scale")
  }

  // A model that is farther from what was observed than its mean is, or of another scale, was not
  // read as it was trained. One that shrinks what it tells, as a regularised one does, was.
  private func requireUse() throws(EvaluationError) {
    let few = samples.count < KnownOutputs.fewestOutcomes
    let fits = (0..<known.width).compactMap { LineFit(ours: found, right: known, column: $0) }
    if let fit = fits.first(where: \.isOfAnotherScale) {
      throw missed("are missed by a scale", hint: OutputHint.line(fit.line).sentence)
    }
    guard !few || isMet else {
      throw missed(
        "are missed, and \(Figures.count(samples.count, "sample")) of observed outcomes say nothing: "
          + "\(KnownOutputs.fewestOutcomes) are needed")
    }
    guard !few, !isMet, fits.contains(where: { $0.leftAsIs >= $0.leftOfMean }) else { return }
    throw missed("are farther from the baseline's than from their own mean")
  }

  /// The worst lines with both numbers, and possible causes.
  private func missed(_ fault: String, hint: String? = nil) -> EvaluationError {
    let order = differences.indices.sorted {
      (differences[$1].value, $0) < (differences[$0].value, $1)
    }
    let wrong = order.filter { differences[$0].value > KnownOutputs.tolerance }
    let lines = wrong.prefix(5).map { row -> String in
      let column = differences[row].column, place = row * known.width + column
      let name = known.width > 1 ? "number \(column + 1): " : ""
      return "line \(samples[row].line), \(references.inputs[samples[row].input].label): \(name)"
        + "known \(Figures.short(Double(known.values[place]))), the baseline gives "
        + Figures.short(Double(found.values[place]))
    }
    return .missedOutputs(
      origin: references.origin, fault: fault, lines: lines,
      hint: hint
        ?? OutputHints.likeliest(ours: found, given: known)?.sentence
        ?? wayOut)
  }

  private var wayOut: String {
    let look = "look at the activations, and at the order and scaling of features"
    return areStatedOutcomes || isClasses
      ? look
      : "\(look); 'output' is what the model gave where it was trained: write what was observed as "
        + "'outcome'"
  }
}

extension Gate {
  /// Runs a baseline on the samples with a known output, before any other work; nothing runs if
  /// there are none.
  ///
  /// - Throws: `EvaluationError.missedOutputs` when it misses them, and as `judge`.
  package static func checkKnownOutputs(
    of models: [Model], on references: ReferenceSet, jobs: Int
  ) throws {
    guard case .samples(let samples) = references.content, let model = models.first,
      samples.contains(where: { $0.output != nil })
    else { return }
    let meaning = model.architecture.output
    let references = try references.arranged(for: model.architecture.input)
    _ = try Evaluation(
      references: references, meaning: meaning, limits: try Limits(), threshold: nil)
    let outputs = try references.naming(Array(references.inputs.indices)) { inputs in
      try ModelRunner(model: model, jobs: jobs).outputs(for: inputs, images: references.images)
    }
    // The gate reports values that are not finite.
    guard OutputCheck.isFinite(outputs) else { return }
    _ = try KnownOutputs(of: references, meaning: meaning, baseline: outputs)?.record()
  }
}
