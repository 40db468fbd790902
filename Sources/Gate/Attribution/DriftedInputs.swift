import Graph
import Inputs
import StrictJSON

/// The inputs that drifted most, and what became of their outputs.
struct DriftedInputs {
  let trial: Trial
  /// Numbers of the inputs; the first two are the worst pair if `isPair`.
  let numbers: [Int]
  let isPair: Bool
  /// One row per input.
  let before: OutputMatrix
  /// All drift there; not finite where an output after is no number or has no cosine.
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

  /// What a swap does to the worst pair, or to the first of the inputs that it can move.
  func words(for effect: SwapEffect, at places: [Int]) -> String {
    let after = effect.outputs
    guard after.values.allSatisfy(\.isFinite) else { return "gives outputs that are not finite" }
    guard effect.drift.isFinite else { return "gives embeddings that are all zero" }
    let place = places[0], first = trial.label(numbers[place])
    if trial.givesEmbeddings {
      guard isPair, place < 2 else {
        let cosine = Vectors(before).cosine(place, of: Vectors(after), place)
        return "turns \(first) to cosine \(Figures.text(cosine, decimals: 3))"
      }
      let change = Figures.change(Vectors(before).cosine(0, 1), Vectors(after).cosine(0, 1))
      return "moves \(trial.label(numbers[0])) ↔ \(trial.label(numbers[1])) \(change)"
    }
    let column = Trial.largest(
      zip(before[0], after[0]).map { (Double($1) - Double($0)).magnitude }, most: 1)[0]
    let change = Figures.change(Double(before.values[column]), Double(after.values[column]))
    return "moves \(first) \(change)"
  }
}

extension Trial {
  /// Whether outputs are compared by their direction.
  var givesEmbeddings: Bool { if case .embedding = meaning { true } else { false } }
}
