import Graph
import Inputs
import StrictJSON
import Tokenization

/// Inputs of a reference set that need tokens which the candidate has no more.
///
/// They are segmented into other tokens, or into unknown ones. No weight is to blame for what that
/// changes.
package struct DroppedTokens: Equatable, Sendable {
  /// Inputs that need such tokens, of all texts.
  package let inputs: Int
  package let ofInputs: Int
  package let first: NamedInput

  /// - Returns: nil if no input needs any, or the candidate has all tokens.
  /// - Throws: as `ModelRunner.outputs(for:)` what is wrong with a reference.
  init?(_ slot: EncoderSlot, _ references: ReferenceSet) throws {
    guard let kept = slot.counterpart?.keptTokens, let model = slot.baseline,
      case .tokens(let maximum, let rows) = model.architecture.input
    else { return nil }
    let texts = try TextInputs(of: model, maximumLength: maximum, rows: rows)
    let ids = try references.naming(slot.inputs) { try texts.tokens(of: $0) }
    let places = ids.indices.filter { place in
      ids[place].contains { kept.newID(of: $0) == nil }
    }
    guard let place = places.first else { return nil }
    inputs = places.count
    ofInputs = ids.count
    first = references.named(slot.inputs[place])
  }

  /// The fact as a sentence.
  var sentence: String {
    "\(inputs) of \(Figures.count(ofInputs, "input")) "
      + "\(inputs == 1 ? "needs" : "need") tokens that were dropped, first \(first.label) "
      + "(line \(first.line)); the corpus whose tokens are kept has none like it"
  }

  var members: FindingMembers {
    first.members.merging([
      "count": .integer(inputs), "of": .integer(ofInputs),
    ]) { $1 }
  }
}
