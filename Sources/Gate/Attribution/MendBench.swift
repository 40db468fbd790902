package import Graph
package import Inputs
package import Weights

/// Runs a candidate with some of its weights replaced, to find what would mend it.
///
/// The baseline runs once. Every try runs its graph with the candidate's weights and the replaced
/// ones; `verdict` runs what the gate would run.
package struct MendBench {
  /// A weight, by the baseline's name, in one of the encoders.
  package struct Place: Hashable, Sendable {
    /// Which encoder of several; nil of a model that is judged alone.
    package let encoder: InputKind?
    package let name: TensorName

    package init(_ name: TensorName, of encoder: InputKind?) {
      (self.name, self.encoder) = (name, encoder)
    }
  }

  /// What a candidate with other weights measures.
  package struct Measured: Sendable {
    /// Nil where outputs cannot be compared.
    package let metrics: DriftMetrics?
    /// Whether every limit is kept, flips included.
    package let isInside: Bool
    /// The part of the limits that is used; infinite where nothing could be measured.
    package let use: Double
    /// Numbers of the distinct inputs that drifted most.
    package let inputs: [Int]
  }

  /// One encoder that the candidate has.
  private struct Encoder {
    let slot: EncoderSlot
    let trained: Model
    let candidate: Model
    /// In the order of the graph.
    let names: [TensorName]
    let references: [TensorName: WeightReference]
    /// The candidate's names and shapes, by the baseline's names.
    let theirs: [TensorName: WeightReference]
    /// Biases that fitting moved with their weights; empty of weights that were not fitted.
    let biases: [TensorName: TensorName]
    /// The candidate's weights under the baseline's names and in its shapes, of trees that merge nodes
    /// and of linear models that are laid out otherwise; else nil.
    let expanded: MatchedWeights?
    /// Runs the baseline's graph with the candidate's weights.
    let runner: ModelRunner
  }

  private let gate: Gate
  private let sides: (candidate: [Model], trained: [Model])
  private let evaluation: Evaluation
  private let encoders: [Encoder]
  /// One row per distinct input.
  private let before: OutputMatrix

  /// Runs the baseline.
  ///
  /// - Throws: as `Gate.judge`.
  package init(of gate: Gate, _ candidate: [Model], against trained: [Model]) throws {
    self.gate = gate
    sides = (candidate, trained)
    let run = try GateRun(of: gate, .models(candidate), against: .models(trained)) { _ in }
    evaluation = run.evaluation
    var before: OutputMatrix?
    var encoders: [Encoder?] = []
    for slot in run.pairing.slots {
      guard let baseline = slot.baseline, let trained = slot.counterpart else { continue }
      let runner = try ModelRunner(model: baseline, jobs: gate.jobs)
      let outputs = try evaluation.references.outputs(of: runner, slot.inputs) { _ in }.references
      let all = before ?? MendBench.empty(evaluation.references.inputs.count, outputs.width)
      before = all.replacing(slot.inputs, with: outputs)
      guard let candidate = slot.candidate else { continue }
      encoders.append(try MendBench.encoder(slot, trained, candidate, jobs: gate.jobs))
    }
    // Where weights of one encoder cannot be told apart, no run shows what another's do.
    let known = encoders.compactMap(\.self)
    self.encoders = known.count == encoders.count ? known : []
    self.before = before ?? MendBench.empty(0, 0)
  }

  private static func empty(_ rows: Int, _ width: Int) -> OutputMatrix {
    OutputMatrix(
      rowCount: rows, width: width, values: [Float](repeating: 0, count: rows * width))
  }

  /// Nil if weights cannot be told apart.
  private static func encoder(
    _ slot: EncoderSlot, _ trained: Model, _ candidate: Model, jobs: Int
  ) throws -> Encoder? {
    let matching = try WeightMatching(baseline: trained, candidate: candidate)
    guard !matching.areUnrelated, matching.faults.isEmpty else { return nil }
    let weights = MatchedWeights(matching, baseline: trained, candidate: candidate)
    let names = matching.pairs.map(\.ours.name)
    let isFitted = candidate.calibration != nil
    return Encoder(
      slot: slot, trained: trained, candidate: candidate, names: names,
      references: Dictionary(matching.pairs.map { ($0.ours.name, $0.ours) }) { first, _ in first },
      theirs: Dictionary(matching.pairs.map { ($0.ours.name, $0.theirs) }) { first, _ in first },
      biases: isFitted ? try WeightUnit.biases(of: trained, among: Set(names)) : [:],
      expanded: matching.isAsStored ? nil : weights,
      runner: try ModelRunner(model: trained, weights: weights, jobs: jobs))
  }

  /// Whether the baseline's files decide what the candidate computes: not of a program that holds it.
  package var filesDecide: Bool {
    encoders.contains { type(of: $0.trained.architecture) == type(of: $0.candidate.architecture) }
  }

  /// Every weight that can be replaced, encoder by encoder, in the order of the graph.
  package var places: [Place] {
    encoders.flatMap { encoder in encoder.names.map { Place($0, of: encoder.slot.encoder) } }
  }

  /// The place of a weight.
  ///
  /// - Parameter encoder: nil where whoever names the weight does not know; names tell then.
  /// - Returns: nil if it cannot be replaced.
  package func place(_ name: TensorName, of encoder: InputKind?) -> Place? {
    let holder = encoders.first {
      (encoder == nil || $0.slot.encoder == encoder) && $0.references[name] != nil
    }
    return holder.map { Place(name, of: $0.slot.encoder) }
  }

  private func encoder(of place: Place) -> Encoder? {
    encoders.first { $0.slot.encoder == place.encoder }
  }

  /// The weight as trained, with its model; nil if it cannot be replaced.
  package func trained(_ place: Place) -> (reference: WeightReference, model: Model)? {
    guard let encoder = encoder(of: place), let reference = encoder.references[place.name] else {
      return nil
    }
    return (reference, encoder.trained)
  }

  /// The candidate's model that holds a weight, and its name there; nil if it cannot be replaced.
  package func candidate(_ place: Place) -> (model: Model, name: TensorName)? {
    guard let encoder = encoder(of: place), let theirs = encoder.theirs[place.name] else {
      return nil
    }
    return (encoder.candidate, theirs.name)
  }

  /// The bias that fitting moved with a weight; nil if there is none.
  package func bias(of place: Place) -> TensorName? { encoder(of: place)?.biases[place.name] }

  // MARK: Trying

  /// Measures all references with some weights replaced, by their values.
  package func measure(_ replaced: [Place: [Float]]) throws -> Measured {
    let outputs = try outputs(replaced, evaluation.references.inputs.indices.map { $0 })
    let findings = evaluation.findings(baseline: before, candidate: outputs, jobs: gate.jobs)
    return Measured(
      metrics: findings.metrics, isInside: findings.reasons.isEmpty && findings.metrics != nil,
      use: findings.metrics.map { evaluation.limits.use($0) } ?? .infinity,
      inputs: Array(findings.worstInputs.prefix(DriftAttribution.maxInputs)))
  }

  /// The drift over some inputs, by their numbers, with some weights replaced; infinite where outputs
  /// cannot be compared.
  package func drift(_ replaced: [Place: [Float]], at numbers: [Int]) throws -> Double {
    let drift = SwapEffect.drift(
      before.picking(numbers), try outputs(replaced, numbers).picking(numbers),
      isEmbedding: evaluation.givesEmbeddings)
    return drift.isFinite ? drift : .infinity
  }

  /// What the gate says of the candidate with some weights replaced.
  ///
  /// - Parameters:
  ///   - preparation: whether it has the baseline's own files beside its weights, and computes what they
  ///     say.
  ///   - isAttributed: whether it says what makes the drift.
  package func verdict(
    _ replaced: [Place: [Float]], preparation: Bool = false, isAttributed: Bool = false
  ) throws -> Verdict {
    var gate = gate
    gate.attribution = isAttributed ? .always : .none
    let models = try sides.candidate.map { model in
      try mended(model, replaced, preparation: preparation)
    }
    return try gate.judge(.models(models), against: .models(sides.trained))
  }

  private func mended(
    _ model: Model, _ replaced: [Place: [Float]], preparation: Bool
  ) throws -> Model {
    let encoder = encoders.first { $0.candidate.kind == model.kind }
    var values: [TensorName: [Float]] = [:]
    for (place, floats) in replaced where place.encoder == encoder?.slot.encoder {
      guard let theirs = encoder?.theirs[place.name] else { continue }
      let name = encoder?.expanded == nil ? theirs.name : place.name
      values[name] = Array(floats.prefix(theirs.elementCount))
    }
    if let encoder, let expanded = encoder.expanded {
      for name in encoder.names where values[name] == nil {
        values[name] = try expanded.floats(of: name)
      }
    }
    let trained = encoder?.trained ?? sides.trained.first { $0.kind == model.kind }
    let source = preparation ? trained : nil
    // A program stays itself; what makes its inputs is beside it.
    let isProgram = source.map { type(of: $0.architecture) != type(of: model.architecture) }
    let expanded = encoder?.expanded
    let architecture =
      expanded.flatMap { _ in encoder?.trained.architecture }
      ?? (isProgram == false ? source?.architecture ?? model.architecture : model.architecture)
    return try Model(
      origin: model.origin, architecture: architecture, files: source?.files ?? model.files,
      weights: MendedWeights(model.weights, values, shapes: expanded),
      calibration: model.calibration, coarseThresholds: model.coarseThresholds,
      recipe: model.recipe, vocabulary: model.vocabulary)
  }

  /// Outputs of the candidate with some weights replaced, those of other encoders the baseline's;
  /// only the rows of `numbers` mean anything.
  private func outputs(_ replaced: [Place: [Float]], _ numbers: [Int]) throws -> OutputMatrix {
    var all = before
    for encoder in encoders {
      let own = replaced.filter { $0.key.encoder == encoder.slot.encoder }
      let values = Dictionary(own.map { ($0.key.name, $0.value) }) { first, _ in first }
      let wanted = Set(numbers)
      let rows = encoder.slot.inputs.filter(wanted.contains)
      guard !rows.isEmpty else { continue }
      let runner = encoder.runner.replacing(
        values.keys.sorted(), by: MendedWeights(encoder.trained.weights, values))
      let references = evaluation.references
      let outputs = try references.naming(rows) {
        try runner.outputs(for: $0, images: references.images)
      }
      all = all.replacing(rows, with: outputs)
    }
    return all
  }
}
