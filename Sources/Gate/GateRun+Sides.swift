import Graph
import Inputs
import Weights

// Runs the models of both sides.
extension GateRun {
  // An encoder that is not a candidate is run once. Each model gets one runner, for this and for all
  // that looks at it again; its weights are in memory while it runs.
  func run(_ texts: [[[Int32]]]) throws -> RunSides {
    let slots = pairing.slots
    let ours = slots.compactMap(\.baseline).isEmpty ? [] : slots
    let theirs = slots.filter { $0.candidate != nil }
    let runs = (ours + theirs).reduce(0) { $0 + $1.inputs.count }
    var done = 0
    func run(
      _ model: Model, _ digests: ModelDigests?, _ slot: EncoderSlot, _ texts: [[Int32]],
      keeps: Bool = false
    ) throws -> (runner: ModelRunner, outputs: EncoderOutputs) {
      let (progress, before) = (progress, done)
      done += slot.inputs.count
      let runner = try ModelRunner(model: model, jobs: gate.jobs)
      defer { runner.forgetWeights() }
      let outputs = try evaluation.references.outputs(
        of: runner, slot.inputs, besides: texts, keeps: keeps, digests: digests
      ) {
        progress(.running(before + $0, of: runs))
      }
      return (runner, outputs)
    }
    let old = try zip(slots, texts).map { slot, texts in
      try slot.baseline.map { baseline in
        let digests = digests(of: slot)?.baseline
        guard let counterpart = slot.counterpart, counterpart.keptTokens != nil else {
          return try run(baseline, digests, slot, texts, keeps: gate.keepsBaselines)
        }
        // The references judge against all tokens; generated texts are of the candidate's.
        let whole = try run(baseline, digests, slot, [], keeps: gate.keepsBaselines)
        let runner = try ModelRunner(model: counterpart, jobs: gate.jobs)
        defer { runner.forgetWeights() }
        let generated = try runner.outputs(forTokens: texts)
        return (
          runner, EncoderOutputs(references: whole.outputs.references, generated: generated)
        )
      }
    }
    let new = try zip(slots, texts).map { slot, texts in
      try slot.candidate.map { try run($0, digests(of: slot)?.candidate, slot, texts) }
    }
    let before = try whole(baseline, old.map { $0?.outputs.references })
    let after = try whole(candidate, zip(new, old).map { ($0 ?? $1)?.outputs.references })
    return RunSides(
      before: before, after: evaluation.filledUp(after, like: before),
      generated: zip(old, new).map {
        GeneratedOutputs(before: $0?.outputs.generated, after: $1?.outputs.generated)
      },
      baselines: old.map { $0?.runner }, candidates: new.map { $0?.runner })
  }

  // Puts the rows of all encoders into the order of the inputs.
  private func whole(_ side: GateSide, _ parts: [OutputMatrix?]) throws -> OutputMatrix {
    let references = evaluation.references
    if case .outputs(let matrix, let path) = side {
      return try whole.distinctRows(of: matrix, origin: path).picking(distinct.kept)
    }
    let parts = zip(pairing.slots, parts).compactMap { slot, part in
      part.map { (rows: slot.inputs, outputs: $0) }
    }
    guard let first = parts.first else { preconditionFailure("a side without models") }
    if parts.count == 1 { return first.outputs }
    var rows = [ArraySlice<Float>](repeating: [], count: references.inputs.count)
    for part in parts {
      for (place, row) in part.rows.enumerated() { rows[row] = part.outputs[place] }
    }
    guard let other = parts.first(where: { $0.outputs.width != first.outputs.width }) else {
      return OutputMatrix(
        rowCount: rows.count, width: first.outputs.width, values: rows.flatMap { $0 })
    }
    throw EvaluationError.wrongEncoders(
      side: "encoders",
      fault: "give embeddings of \(first.outputs.width) and of \(other.outputs.width)")
  }
}
