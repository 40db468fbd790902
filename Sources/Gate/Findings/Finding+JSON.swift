package import StrictJSON
import Weights

/// Members of a finding in `--json`, beside its `id`, `severity` and `sentence`. A number that is none is
/// null.
typealias FindingMembers = [String: JSONValue]

extension RefusalReason {
  /// `id`, `severity` (`refused`), `sentence`, and the figures of the reason.
  package var json: JSONValue {
    .object(
      members.merging([
        "id": .string(id.rawValue), "severity": "refused", "sentence": .string(sentence),
      ]) {
        $1
      })
  }

  /// Its identifier for programs, one word.
  package var id: FindingID {
    switch self {
    case .limit: .limit
    case .metric: .metricNotFinite
    case .outputs(.notFinite, _): .outputsNotFinite
    case .outputs(.zero, _): .embeddingsZero
    case .flip: .flip
    case .moreFlips: .moreFlips
    case .pair: .driftedPair
    case .input: .driftedInput
    case .output: .driftedOutput
    case .overflow: .float16Overflow
    case .length: .lengthLost
    case .suspect: .suspectWeight
    case .manyWeights: .noSingleWeight
    case .together: .weightsTogether
    case .tree: .tree
    case .weights(let fault): fault.id
    case .tokens: .otherTokens
    case .preparation: .otherPreparation
    case .computation: .otherComputation
    case .rows: .rows
    case .generated(.notFinite, _): .generatedNotFinite
    case .generated(.drift, _): .generatedDrift
    case .droppedTokens: .droppedTokens
    case .nothingMeasured: .nothingMeasured
    }
  }

  private var members: FindingMembers {
    switch self {
    case .limit(let miss, let source): miss.members(source)
    case .metric(let name): ["metric": .string(name)]
    case .outputs(let fault, let side):
      fault.members.merging(["side": .string(side.rawValue)]) { $1 }
    case .flip(let flip, let tolerated, let source):
      flip.members.merging(["toleratedMargin": .double(tolerated)]) { $1 }
        .merging(source.members) { $1 }
    case .moreFlips(let count): ["count": .integer(count)]
    case .pair(let change): change.members
    case .input(let input, let cosine):
      input.members.merging(["cosine": .double(cosine)]) { $1 }
    case .output(let change): change.members
    case .overflow(let value, let magnitude, let input):
      [
        "value": .string(value), "magnitude": .double(Double(magnitude)), "input": .string(input),
      ]
    case .length(let length): ["length": .double(length)]
    case .suspect(let suspect): suspect.members
    case .manyWeights(let shares, let kinds):
      ["weights": .array(shares.map(\.json)), "kinds": .array(kinds.map(\.json))]
    case .together(let joint): joint.members
    case .tree(let finding): finding.members
    case .weights(let fault): fault.members
    case .tokens(let fault, let encoder):
      fault.members.merging(encoder.members) { $1 }
    case .preparation(let difference, let candidate, let baseline):
      difference.members.merging([
        "candidate": .string(candidate), "baseline": .string(baseline),
      ]) { $1 }
    case .computation(let difference, let encoder):
      difference.members.merging(encoder.members) { $1 }
    case .rows(let rows): rows.members
    case .generated(let fault, let encoder): fault.members.merging(encoder.members) { $1 }
    case .droppedTokens(let dropped): dropped.members
    case .nothingMeasured: [:]
    }
  }
}

extension GateWarning {
  /// `id`, `severity` (`warning`), `sentence`, and the figures of the warning.
  package var json: JSONValue {
    .object(
      members.merging([
        "id": .string(id.rawValue), "severity": "warning", "sentence": .string(sentence),
      ]) {
        $1
      })
  }

  /// Its identifier for programs, one word.
  package var id: FindingID {
    switch self {
    case .sameBytes: .sameBytes
    case .vectors: .vectors
    case .textLength: .textLength
    case .prompt: .otherPrompt
    case .compressedBaseline: .compressedBaseline
    case .preparation: .otherPreparation
    case .references(let warning): warning.id
    case .lengthChange: .lengthChange
    case .toleratedFlips: .toleratedFlips
    case .unusedLengths: .unusedLengths
    case .droppedTokens: .droppedTokens
    case .otherNames: .otherNames
    case .otherOperations: .otherOperations
    case .weight: .suspectWeight
    case .rows: .unusualRows
    case .coarseThresholds: .coarseThresholds
    case .generated: .generatedDrift
    }
  }

  private var members: FindingMembers {
    switch self {
    case .sameBytes(let encoder): encoder.members
    case .vectors, .otherOperations: [:]
    case .textLength(let candidate, let baseline):
      ["candidate": .integer(candidate), "baseline": .integer(baseline)]
    case .prompt(let candidate, let baseline):
      ["candidate": .string(candidate), "baseline": .string(baseline)]
    case .compressedBaseline(let recipe): ["recipe": .string(recipe)]
    case .preparation(let difference): difference.members
    case .references(let warning): warning.members
    case .lengthChange(let change): ["change": .double(change)]
    case .toleratedFlips(let count, let margin):
      ["count": .integer(count), "toleratedMargin": .double(margin)]
    case .unusedLengths(let lengths): ["lengths": .array(lengths.map(JSONValue.integer))]
    case .droppedTokens(let dropped): dropped.members
    case .otherNames(let encoder, let tokensCompared):
      encoder.members.merging(["tokensCompared": .bool(tokensCompared)]) { $1 }
    case .weight(let name, let pattern):
      ["weight": .string(name.text), "pattern": pattern.json]
    case .rows(let rows): rows.members
    case .coarseThresholds(let moves):
      [
        "thresholds": .string(moves.coarse), "count": .integer(moves.count),
        "compared": .integer(moves.compared), "farthest": .double(moves.farthest),
      ]
    case .generated(let encoder, let limit):
      encoder.members.merging(["limit": "cosineMin", "bound": .double(limit)]) { $1 }
    }
  }
}
