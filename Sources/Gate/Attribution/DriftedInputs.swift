import Graph
import Inputs
import StrictJSON

/// The inputs that drifted most, with their outputs before and after.
struct DriftedInputs {
  let evaluation: Evaluation
  /// Numbers of the inputs; the first two are the worst pair if `isPair`.
  let numbers: [Int]
  let isPair: Bool
  /// One row per input.
  let before: OutputMatrix
  let after: OutputMatrix
  /// The sum of all drift; not finite if an output after is NaN or has no cosine.
  let whole: Double

  init(
    _ findings: Findings, maximum: Int, before: OutputMatrix, after: OutputMatrix,
    _ evaluation: Evaluation
  ) {
    self.evaluation = evaluation
    numbers = Array(findings.worstInputs.prefix(maximum))
    isPair = findings.startsWithPair
    self.before = before.picking(numbers)
    self.after = after.picking(numbers)
    whole = SwapEffect.drift(
      self.before, self.after, isEmbedding: evaluation.givesEmbeddings)
  }

  /// Part of all drift; not finite if outputs are none that can be compared.
  ///
  /// - Parameter outputs: one row per input.
  func share(of outputs: OutputMatrix) -> Double {
    SwapEffect.drift(before, outputs, isEmbedding: evaluation.givesEmbeddings) / whole
  }

  /// How far outputs are from the candidate's, as a part of all drift; 0 of what only rounding makes.
  ///
  /// - Parameter outputs: one row per input.
  func missing(from outputs: OutputMatrix) -> Double {
    let rest = SwapEffect(outputs, from: after, isEmbedding: evaluation.givesEmbeddings)
    return rest.changesOutputs ? rest.drift / whole : 0
  }

  /// Places in `numbers` of the inputs that an encoder takes.
  func places(of slot: EncoderSlot) -> [Int] {
    numbers.indices.filter { evaluation.references.inputs[numbers[$0]].kind == slot.kind }
  }

  /// The effect of a swap on the worst pair, or on the first input that it can move.
  func outcome(of effect: SwapEffect, at places: [Int]) -> SwapOutcome {
    let after = effect.outputs
    guard after.values.allSatisfy(\.isFinite) else { return .notFinite }
    guard effect.drift.isFinite else { return .zero }
    let place = places[0], first = evaluation.label(numbers[place])
    if evaluation.givesEmbeddings {
      guard isPair, place < 2 else {
        return .input(first, cosine: Vectors(before).cosine(place, of: Vectors(after), place))
      }
      return .pair(
        a: evaluation.label(numbers[0]), b: evaluation.label(numbers[1]),
        before: Vectors(before).cosine(0, 1), after: Vectors(after).cosine(0, 1))
    }
    let column = Evaluation.largest(
      zip(before[0], after[0]).map { (Double($1) - Double($0)).magnitude }, maximum: 1)[0]
    return .output(
      input: first, before: Double(before.values[column]), after: Double(after.values[column]))
  }
}

extension Evaluation {
  /// Whether outputs are compared by their direction.
  var givesEmbeddings: Bool { if case .embedding = meaning { true } else { false } }
}
