import Graph

/// One run of the gate: both sides, what they are judged on, and the findings.
struct GateRun {
  let baseline: GateSide
  let candidate: GateSide
  let trial: Trial
  let jobs: Int
  let progress: @Sendable (Int, Int) -> Void
  /// Nil unless both sides are models.
  let provenance: Provenance?

  /// - Throws: `EvaluationError` when the two cannot be compared on this set.
  init(
    baseline: GateSide, candidate: GateSide, references: ReferenceSet, limits: Limits,
    threshold: Double?, jobs: Int, progress: @escaping @Sendable (Int, Int) -> Void
  ) throws {
    if let old = baseline.model, let new = candidate.model {
      try GateRun.requireComparable(old, new)
    }
    trial = try Trial(
      references: references,
      meaning: (baseline.model ?? candidate.model)?.architecture.output, limits: limits,
      threshold: threshold)
    self.baseline = baseline
    self.candidate = candidate
    self.jobs = jobs
    if let old = baseline.model, let new = candidate.model {
      provenance = try Provenance(baseline: old, candidate: new)
    } else {
      provenance = nil
    }
    self.progress = progress
  }

  private static func requireComparable(_ old: Model, _ new: Model) throws(EvaluationError) {
    let first = old.architecture, second = new.architecture
    let isSameKind = type(of: first) == type(of: second)
    // A program has no name for what kind of model it was made from.
    guard isSameKind || second.shapes != .any else {
      throw .notComparable(
        what: "architecture", baseline: type(of: first).name, candidate: type(of: second).name)
    }
    guard isSameKind ? first.input == second.input : second.input.canReplace(first.input) else {
      throw .notComparable(
        what: "input", baseline: first.input.words, candidate: second.input.words)
    }
    guard isSameKind ? first.output == second.output : second.output.canReplace(first.output) else {
      throw .notComparable(
        what: "output", baseline: first.output.words, candidate: second.output.words)
    }
  }

  /// Checks weights, runs what is to be run, and judges the outputs.
  func findings() throws -> Findings {
    var differences: [WeightDifference] = []
    let counterparts = try counterparts()
    let faults = try weightFaults(counterparts, &differences)
    guard faults.isEmpty else {
      return Findings(reasons: faults, warnings: warnings + trial.references.warnings)
    }
    let count = trial.references.inputs.count
    let before = try outputs(of: baseline, from: 0)
    let after = try outputs(of: candidate, from: count)
    guard before.width == after.width else {
      throw EvaluationError.notComparable(
        what: "output", baseline: "\(before.width) numbers", candidate: "\(after.width) numbers")
    }
    var findings = trial.findings(baseline: before, candidate: after)
    findings.warnings = warnings + findings.warnings
    if let model = candidate.model, OutputCheck.isFinite(after) {
      try trial.references.naming {
        findings.reasons += try RangeAudit.reasons(of: model, trial.references.inputs, jobs: jobs)
        findings.warnings += try lengthWarnings(of: model)
      }
    }
    guard OutputCheck.isFinite(before), let counterparts, !counterparts.areUnrelated,
      let old = baseline.model, let new = candidate.model
    else {
      if counterparts?.areUnrelated == true { findings.warnings.append(GateRun.unrelatedWarning) }
      return findings
    }
    let blame = Blame(
      baseline: old, candidate: new,
      replacements: CounterpartWeights(counterparts, baseline: old, candidate: new),
      differences: differences, trial: trial, jobs: jobs)
    if findings.reasons.isEmpty {
      findings.warnings += try blame.warnings()
    } else {
      findings.reasons += try blame.reasons(
        findings, before: before, after: after)
    }
    return findings
  }

  /// Lengths that a model can be told apart by, at most; of a range of lengths not each is asked for.
  private static let mostLengths = 16

  // A program of several lengths is as many programs, of which only those that ran were judged.
  private func lengthWarnings(of model: Model) throws -> [String] {
    guard case .single(let lengths) = model.architecture.shapes, lengths.count > 1,
      lengths.count <= GateRun.mostLengths
    else { return [] }
    let used = try Encoder(model: model, jobs: jobs).lengths(of: trial.references.inputs)
    let unused = lengths.filter { !used.contains($0) }
    guard !unused.isEmpty else { return [] }
    return [
      "no reference input needs the length \(unused.map(String.init).joined(separator: ", ")): "
        + "the candidate was not judged there"
    ]
  }

  private static let unrelatedWarning =
    "the candidate's weights have other names than the baseline's and were not compared with them"

  // Nil unless both sides are models.
  private func counterparts() throws -> Counterparts? {
    guard let old = baseline.model, let new = candidate.model else { return nil }
    return try Counterparts(baseline: old, candidate: new)
  }

  private func weightFaults(
    _ counterparts: Counterparts?, _ differences: inout [WeightDifference]
  ) throws -> [String] {
    if let counterparts, let old = baseline.model, let new = candidate.model {
      let audit = try WeightAudit(baseline: old, candidate: new, counterparts)
      differences = audit.differences
      return audit.faults
    }
    let old = try baseline.model.map { try WeightAudit.faults(of: $0, side: "baseline") }
    let new = try candidate.model.map { try WeightAudit.faults(of: $0, side: "candidate") }
    return (old ?? []) + (new ?? [])
  }

  private var warnings: [String] {
    var warnings: [String] = []
    if let provenance, provenance.baseline == provenance.candidate {
      warnings.append("baseline and candidate are the same bytes: a model was judged by itself")
    }
    if case .tokens(let old, _) = baseline.model?.architecture.input,
      case .tokens(let new, _) = candidate.model?.architecture.input, old != new
    {
      warnings.append("the candidate cuts texts at \(new) tokens, the baseline at \(old)")
    }
    return warnings
  }

  // One row per distinct input.
  private func outputs(of side: GateSide, from done: Int) throws -> OutputMatrix {
    let references = trial.references
    let total = 2 * references.inputs.count
    switch side {
    case .outputs(let matrix, let path):
      return try references.distinctRows(of: matrix, origin: path)
    case .model(let model):
      let progress = progress
      return try references.naming {
        try Encoder(model: model, jobs: jobs).outputs(for: references.inputs) { (count, _) in
          progress(done + count, total)
        }
      }
    }
  }
}

extension ModelInput {
  /// Whether what a program takes is what the model it stands for takes: names of features and the
  /// longest text may be others.
  func canReplace(_ other: ModelInput) -> Bool {
    switch (self, other) {
    case (.tokens(_, let ours), .tokens(_, let theirs)): ours == theirs
    case (.features(let ours), .features(let theirs)): ours.count == theirs.count
    default: false
    }
  }

  /// Words for messages.
  var words: String {
    switch self {
    case .tokens(let maximumLength, let vocabulary):
      "a text of at most \(maximumLength) tokens of \(vocabulary)"
    case .features(let names): "\(Figures.count(names.count, "value")) (\(Figures.list(names)))"
    }
  }
}

extension ModelOutput {
  /// Whether what a program gives is what the model it stands for gives; whether a vector is an
  /// embedding or numbers only the model says.
  func canReplace(_ other: ModelOutput) -> Bool {
    switch (self, other) {
    case (.classes, _), (_, .classes): self == other
    default: width == other.width
    }
  }

  /// Words for messages.
  var words: String {
    switch self {
    case .embedding(let width): "an embedding of \(width)"
    case .classes(let labels, let width):
      "\(Figures.count(width, "score")) for the labels \(Figures.list(labels))"
    case .numbers(let width): Figures.count(width, "number")
    }
  }
}
