import Graph
import Inputs

/// Compares what a candidate computes with what its baseline does, weights left aside: another pooling,
/// activation or number of heads, or fewer tokens of a text, moves outputs though every weight is as it
/// was.
enum ComputationAudit {
  /// - Parameter drifted: numbers of the inputs that drifted most; that others are cut is of no moment.
  /// - Returns: what differs, the settings before the texts; empty where both compute the same.
  /// - Throws: `GraphError`, and as `ModelRunner.outputs(for:)` what is wrong with a reference.
  static func reasons(
    _ slot: EncoderSlot, _ references: ReferenceSet, drifted: [Int]
  ) throws -> [RefusalReason] {
    guard let old = slot.counterpart, let new = slot.candidate else { return [] }
    let found = [
      try setting(old.architecture, new.architecture),
      try cutTexts(old, new, slot, references, drifted),
    ]
    return found.compactMap(\.self).map { .computation($0, slot.encoder) }
  }

  /// What a candidate for tables computes otherwise, whether references reach it or not; nil of other models.
  static func ofTables(_ slot: EncoderSlot) -> RefusalReason? {
    guard let old = slot.counterpart, let new = slot.candidate,
      let own = new.architecture as? any TableArchitecture,
      let (found, expected) = own.firstDifference(from: old.architecture)
        ?? new.firstOtherClaim(than: old)
    else { return nil }
    return .computation(
      .part(expected.what, found: found.words, expected: expected.words), slot.encoder)
  }

  /// Nil where it cannot be told, too: for models of two architectures or of other weights.
  private static func setting(
    _ old: any Architecture, _ new: any Architecture
  ) throws -> ComputationDifference? {
    guard type(of: old) == type(of: new), let graphs = try new.graphs(beside: old),
      graphs.own.weights == graphs.other.weights,
      let (ours, theirs) = graphs.own.firstDifference(from: graphs.other)
    else { return nil }
    if let found = new.poolingWords, let expected = old.poolingWords, found != expected {
      return .pooling(found: found, expected: expected)
    }
    return .value(found: words(ours, beside: theirs), expected: words(theirs, beside: ours))
  }

  /// `'encoder.layer.0.gelu' (gelu)`, with the numbers that are not those of the other: `'norm'
  /// (layer_norm, epsilon 0.1)`.
  private static func words(_ node: ModelGraph.Node?, beside other: ModelGraph.Node?) -> String {
    guard let node else { return "nothing" }
    let others = other.map { $0.operation.numbers } ?? []
    let numbers = node.operation.numbers.filter { number in
      others.contains { $0.name == number.name && $0.text != number.text }
    }
    let words = [node.operation.milName] + numbers.map { "\($0.name) \($0.text)" }
    return "'\(node.name)' (\(words.joined(separator: ", ")))"
  }

  /// Texts that the candidate reads less of than the baseline does; nil if it reads those that drifted as
  /// far.
  private static func cutTexts(
    _ old: Model, _ new: Model, _ slot: EncoderSlot, _ references: ReferenceSet, _ drifted: [Int]
  ) throws -> ComputationDifference? {
    guard case .tokens(let expected, let rows) = old.architecture.input,
      case .tokens(let found, _) = new.architecture.input, found < expected
    else { return nil }
    let texts = try TextInputs(of: old, maximumLength: expected, rows: rows)
    let ids = try references.naming(slot.inputs) { try texts.tokens(of: $0) }
    let cut = ids.indices.filter { ids[$0].count > found }
    guard cut.contains(where: { drifted.contains(slot.inputs[$0]) }) else { return nil }
    return cut.first.map { first in
      .cut(
        texts: cut.count, of: ids.count, first: references.named(slot.inputs[first]), found: found,
        expected: expected)
    }
  }
}
