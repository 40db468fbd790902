import Graph
import Inputs

/// The parts of a text encoder that references reach, and texts that reach the rest.
struct TextProbe: Sendable {
  let reached: ReachedRows
  /// Token ids of generated texts, those around each included.
  let texts: [[Int32]]

  /// - Parameters:
  ///   - isSample: whether the texts may leave tokens out.
  ///   - seed: chooses the tokens of a sample.
  /// - Returns: nil for an encoder of anything but texts, all of whose weights every input reaches.
  /// - Throws: as `ModelRunner.outputs(for:)`.
  init?(
    _ slot: EncoderSlot, _ references: ReferenceSet, baseline: Model, candidate: Model,
    isSample: Bool,
    seed: UInt64
  ) throws {
    guard case .tokens(let trained, _) = baseline.architecture.input,
      case .tokens(let maximum, let rows) = candidate.architecture.input
    else { return nil }
    let inputs = try TextInputs(of: candidate, maximumLength: maximum, rows: rows)
    let ids = try references.naming(slot.inputs) { try inputs.tokens(of: $0) }
    reached = ReachedRows(texts: ids, rows: rows, positions: maximum)
    let (before, behind) = inputs.surroundings
    var barred = inputs.structuralTokens
    if let end = candidate.architecture.endToken { barred.insert(end) }
    if let end = baseline.architecture.endToken { barred.insert(end) }
    texts =
      GeneratedTexts(
        reached, before: before, behind: behind, length: min(trained, maximum), barred: barred,
        isSample: isSample, seed: seed
      ).texts
  }
}
