import Inputs
import StrictJSON

/// Whether a baseline gives different inputs different outputs: where it does not, a candidate that
/// gives anything constant passes.
enum AlikeOutputs {
  /// Embeddings whose cosine is larger are one to whoever compares them.
  static let cosine = 0.9999
  /// Share of its size by which rounding may move an output.
  private static let rounding = 1e-6

  /// Refuses a set on which all outputs of the baseline are alike.
  ///
  /// - Parameters:
  ///   - baseline: one row per distinct input of the set.
  ///   - slots: the encoders, each checked by itself; empty if outputs were given.
  /// - Throws: `EvaluationError.blindReferences`.
  static func refuse(
    _ baseline: OutputMatrix, _ evaluation: Evaluation, _ slots: [EncoderSlot]
  ) throws(EvaluationError) {
    // The gate reports values that are not finite.
    guard OutputCheck.isFinite(baseline) else { return }
    let references = evaluation.references
    guard case .pairs = references.content else {
      if areConstant(baseline) { throw fault(references, "outputs", of: nil, "equal") }
      return
    }
    let vectors = Vectors(baseline)
    let judged = slots.filter { $0.baseline == nil || $0.candidate != nil }
    let rows = slots.isEmpty ? [Array(references.inputs.indices)] : judged.map(\.inputs)
    for (place, rows) in rows.enumerated() where rows.count > 1 && areAlike(vectors, rows) {
      throw fault(
        references, "embeddings", of: slots.isEmpty ? nil : judged[place].name,
        "alike (every cosine above \(Figures.plain(cosine)))")
    }
  }

  private static func areAlike(_ vectors: Vectors, _ rows: [Int]) -> Bool {
    rows.indices.allSatisfy { first in
      rows[(first + 1)...].allSatisfy { vectors.cosine(rows[first], $0) > cosine }
    }
  }

  private static func areConstant(_ outputs: OutputMatrix) -> Bool {
    (0..<outputs.width).allSatisfy { column in
      let values = (0..<outputs.rowCount).map { Double(outputs[$0][$0 * outputs.width + column]) }
      let (low, high) = (values.min() ?? 0, values.max() ?? 0)
      return high - low <= rounding * max(low.magnitude, high.magnitude)
    }
  }

  private static func fault(
    _ references: ReferenceSet, _ outputs: String, of encoder: String?, _ word: String
  ) -> EvaluationError {
    .blindReferences(
      origin: references.origin,
      fault: "all \(outputs) of the baseline\(encoder.map { "'s \($0)" } ?? "") are \(word); a "
        + "candidate that looked at no input would pass")
  }
}
