import Graph
import Inputs
import StrictJSON

/// Outputs of both sides for generated texts.
struct GeneratedOutputs {
  let before: OutputMatrix
  let after: OutputMatrix

  /// - Returns: nil unless both sides ran them, and give as many numbers.
  init?(before: OutputMatrix?, after: OutputMatrix?) {
    guard let before, let after, before.width == after.width else { return nil }
    (self.before, self.after) = (before, after)
  }
}

/// The verdict on a candidate from generated texts.
///
/// They are like nothing that an app sees, and compression is fitted to what it sees: they drift
/// more than the references, those of calibrated models up to 25 times as far. So they refuse only
/// what no compression does, and warn where they miss the limit of the worst input.
struct GeneratedDrift {
  /// The lowest cosine of a text to the baseline's; nil if the baseline gives none.
  private(set) var minimum: Double?
  /// Why the candidate is refused; nil if it is not.
  private(set) var reason: RefusalReason?
  /// A warning for people; nil if there is nothing to warn of.
  private(set) var warning: GateWarning?

  /// How far texts may drift.
  private struct Bound {
    /// Times as far as the references' worst input.
    let factor: Double
    /// Drift (1 − cosine) that is never a refusal.
    let tolerated: Double

    /// Where rows were compared, they say more.
    static let besidesRows = Bound(factor: 50, tolerated: 0.5)
    /// Where nothing else speaks for the rows.
    static let alone = Bound(factor: 4, tolerated: 0.2)
  }

  /// Judges the outputs of both sides for generated texts.
  ///
  /// - Parameters:
  ///   - before: outputs of the baseline for the references; `after` those of the candidate.
  /// - Returns: nil if no texts ran, and of models that give no embeddings.
  init?(
    _ texts: GeneratedOutputs?, _ audit: EncoderAudit, before: OutputMatrix, after: OutputMatrix,
    limits: Limits
  ) {
    guard let texts, let model = audit.slot.candidate,
      case .embedding = model.architecture.output
    else {
      return nil
    }
    let old = Vectors(before), new = Vectors(after)
    self.init(
      before: texts.before, after: texts.after,
      worst: Statistics.min(audit.slot.inputs.map { old.cosine($0, of: new, $0) }),
      areRowsCompared: audit.comparesTokens, limits: limits,
      encoder: audit.slot.encoder)
  }

  /// - Parameters:
  ///   - before: outputs of the baseline, one row per text; `after` those of the candidate.
  ///   - worst: the lowest cosine of the references.
  ///   - areRowsCompared: whether the rows of the table of tokens were held to the baseline's.
  ///   - encoder: the encoder of several; nil of a model that is judged alone.
  init(
    before: OutputMatrix, after: OutputMatrix, worst: Double, areRowsCompared: Bool,
    limits: Limits, encoder: InputKind?
  ) {
    // Nothing can be held to a baseline that gives no numbers there.
    let rows = (0..<before.rowCount).filter { row in
      before[row].allSatisfy(\.isFinite) && before[row].contains { $0 != 0 }
    }
    guard !rows.isEmpty else { return }
    guard rows.allSatisfy({ after[$0].allSatisfy(\.isFinite) }) else {
      reason = .generated(.notFinite, encoder)
      return
    }
    let old = Vectors(before), new = Vectors(after)
    let cosines = rows.map { old.cosine($0, of: new, $0) }
    let minimum = Statistics.min(cosines)
    self.minimum = minimum
    let bound = areRowsCompared ? Bound.besidesRows : Bound.alone
    let maximum = max(bound.tolerated, bound.factor * (1 - worst))
    let limit = limits[.cosineMin]
    guard minimum >= limit || 1 - minimum <= maximum else {
      reason = .generated(.drift(cosine: minimum, worst: worst), encoder)
      return
    }
    guard minimum >= limit else {
      warning = .generated(encoder, limit: limit)
      return
    }
  }
}

extension Findings {
  /// Takes what the references do not reach: the rows of every weight, and texts that hold such rows.
  mutating func take(_ audit: EncoderAudit, _ drift: GeneratedDrift?) {
    coverage[audit.slot.kind] = audit.coverage
    let found = audit.rowFaults.map(RefusalReason.rows) + [drift?.reason].compactMap(\.self)
    reasons += found
    if !found.isEmpty { isImplausible = true }
    // If a model is refused anyway, the reasons say enough.
    guard reasons.isEmpty else { return }
    warnings += audit.rowWarnings.map(GateWarning.rows) + [drift?.warning].compactMap(\.self)
  }
}
