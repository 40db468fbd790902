import Graph
import Inputs
import StrictJSON

/// The search for the weights of one tower that moved the outputs.
struct TowerAttribution {
  /// Weights that were swapped alone.
  private(set) var suspects: [Suspect] = []
  /// The worst groups of weights, swapped together; empty if all were tried.
  let groups: [WeightShare]

  /// Weights that look wrong and are tried besides those of the worst groups, at most.
  private static let maxPatterns = 4

  /// - Parameter places: of the inputs that the tower takes; not empty.
  init(_ tower: AttributedTower, _ drifted: DriftedInputs, at places: [Int], jobs: Int) throws {
    let units = try tower.units
    let bench = SwapBench(
      tower: tower, drifted: drifted, places: places,
      encoder: try Encoder(model: tower.baseline, jobs: jobs))
    let search = try SwapSearch(count: units.count, half: drifted.whole * Suspect.causeShare) {
      try bench.effect(of: units[$0])
    }
    groups = search.groups.compactMap { group in
      let share = group.effect.drift / drifted.whole, range = group.weights
      guard share.isFinite, group.effect.changesOutputs else { return nil }
      return WeightShare(
        first: units[range.lowerBound].name, last: units[range.upperBound - 1].name,
        count: range.count, share: share)
    }
    for single in search.singles {
      let unit = units[single.weights.lowerBound]
      suspects.append(bench.suspect(unit, single.effect, try tower.pattern(of: unit.difference)))
    }
    let tried = Set(search.singles.map(\.weights.lowerBound))
    try tryPatterns(units.indices.filter { !tried.contains($0) }.map { units[$0] }, bench)
  }

  /// Swaps weights that look wrong, though their group moves less than another.
  private mutating func tryPatterns(_ units: [WeightUnit], _ bench: SwapBench) throws {
    let order = units.sorted { $0.difference.relativeError > $1.difference.relativeError }
    var count = 0
    for unit in order where count < TowerAttribution.maxPatterns {
      guard let pattern = try bench.tower.pattern(of: unit.difference) else { continue }
      suspects.append(bench.suspect(unit, try bench.effect(of: [unit]), pattern))
      count += 1
    }
  }
}

/// Runs the baseline with some of the candidate's weights over the inputs that drifted most.
struct SwapBench {
  let tower: AttributedTower
  let drifted: DriftedInputs
  /// Of the inputs that the tower takes.
  let places: [Int]
  /// Runs the baseline; all swaps share the values it computes from weights.
  let encoder: Encoder

  /// Measures the effect of swapping weights together.
  func effect(of units: some Sequence<WeightUnit>) throws -> SwapEffect {
    let names = units.flatMap(\.names)
    let runner = encoder.replacing(names, by: tower.swapping(names))
    let references = drifted.trial.references
    let outputs = try references.naming(places.map { drifted.numbers[$0] }) {
      try runner.outputs(for: $0, images: references.images)
    }
    return SwapEffect(
      drifted.before.replacing(places, with: outputs), from: drifted.before,
      isEmbedding: drifted.trial.givesEmbeddings)
  }

  func suspect(_ unit: WeightUnit, _ effect: SwapEffect, _ pattern: WeightPattern?) -> Suspect {
    Suspect(
      unit: unit, effect: effect, share: effect.drift / drifted.whole, pattern: pattern,
      outcome: drifted.outcome(of: effect, at: places))
  }
}
