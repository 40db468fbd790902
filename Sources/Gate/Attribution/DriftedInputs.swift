import Graph
import Inputs
import StrictJSON

/// The inputs that drifted most, with their outputs before and after.
struct DriftedInputs {
  let trial: Trial
  /// Numbers of the inputs; the first two are the worst pair if `isPair`.
  let numbers: [Int]
  let isPair: Bool
  /// One row per input.
  let before: OutputMatrix
  /// The sum of all drift; not finite if an output after is NaN or has no cosine.
  let whole: Double

  init(_ findings: Findings, most: Int, before: OutputMatrix, after: OutputMatrix, _ trial: Trial) {
    self.trial = trial
    numbers = Array(findings.worstInputs.prefix(most))
    isPair = findings.startsWithPair
    self.before = before.picking(numbers)
    whole = SwapEffect.drift(
      self.before, after.picking(numbers), isEmbedding: trial.givesEmbeddings)
  }

  /// Places in `numbers` of the inputs that a tower takes.
  func places(of tower: Tower) -> [Int] {
    numbers.indices.filter { trial.references.inputs[numbers[$0]].kind == tower.kind }
  }

  /// The effect of a swap on the worst pair, or on the first input that it can move.
  func outcome(of effect: SwapEffect, at places: [Int]) -> SwapOutcome {
    let after = effect.outputs
    guard after.values.allSatisfy(\.isFinite) else { return .notFinite }
    guard effect.drift.isFinite else { return .zero }
    let place = places[0], first = trial.label(numbers[place])
    if trial.givesEmbeddings {
      guard isPair, place < 2 else {
        return .input(first, cosine: Vectors(before).cosine(place, of: Vectors(after), place))
      }
      return .pair(
        a: trial.label(numbers[0]), b: trial.label(numbers[1]),
        before: Vectors(before).cosine(0, 1), after: Vectors(after).cosine(0, 1))
    }
    let column = Trial.largest(
      zip(before[0], after[0]).map { (Double($1) - Double($0)).magnitude }, most: 1)[0]
    return .output(
      input: first, before: Double(before.values[column]), after: Double(after.values[column]))
  }
}

extension Trial {
  /// Whether outputs are compared by their direction.
  var givesEmbeddings: Bool { if case .embedding = meaning { true } else { false } }
}
