import Graph
import Inputs
import StrictJSON
import Weights

/// The search for the weights of one encoder that moved the outputs.
struct EncoderAttribution {
  let bench: SwapBench
  /// Weights that were swapped alone.
  private(set) var attributed: [AttributedWeight] = []
  /// The worst groups of weights, swapped together; empty if all were tried.
  let groups: [WeightShare]
  /// What each weight that differs makes, swapped alone or in a group.
  let drifts: [WeightDrift]
  /// What is wrong with each of them.
  let kinds: [DamageKind]

  /// Weights that look wrong and are tried besides those of the worst groups, at most.
  private static let maxPatterns = 4

  /// - Parameter places: of the inputs that the encoder takes; not empty.
  init(_ encoder: AttributedEncoder, _ drifted: DriftedInputs, at places: [Int]) throws {
    let units = try encoder.units
    let damages = try units.map { try encoder.damage(of: $0.difference) }
    kinds = damages.map(\.kind)
    let bench = SwapBench(encoder: encoder, drifted: drifted, places: places)
    self.bench = bench
    defer { encoder.runner.forgetWeights() }
    let half = drifted.whole * AttributedWeight.causeShare
    var search = try SwapSearch(count: units.count, half: half) {
      try bench.effect(of: units[$0])
    }
    // Many small errors together: more of the weights must be known one by one.
    if !search.singles.contains(where: { !($0.effect.drift < half) }) {
      try search.widen { try bench.effect(of: units[$0]) }
    }
    drifts = zip(units, search.drifts(of: units.count)).map {
      WeightDrift(name: $0.name, encoder: encoder.slot.encoder, drift: $1)
    }
    groups = search.groups.compactMap { group in
      let share = group.effect.drift / drifted.whole, range = group.weights
      guard share.isFinite, group.effect.changesOutputs else { return nil }
      return WeightShare(
        first: units[range.lowerBound].name, last: units[range.upperBound - 1].name,
        count: range.count, share: share)
    }
    for single in search.singles {
      let place = single.weights.lowerBound
      attributed.append(bench.attribute(units[place], single.effect, damages[place]))
    }
    let tried = Set(search.singles.map(\.weights.lowerBound))
    let others = units.indices.filter { !tried.contains($0) && damages[$0].pattern != nil }
    try tryPatterns(others.map { (units[$0], damages[$0]) })
  }

  /// Swaps weights that look wrong, though their group moves less than another.
  private mutating func tryPatterns(_ units: [(unit: WeightUnit, damage: WeightDamage)]) throws {
    let order = units.sorted {
      $0.unit.difference.relativeError > $1.unit.difference.relativeError
    }
    for (unit, damage) in order.prefix(EncoderAttribution.maxPatterns) {
      attributed.append(bench.attribute(unit, try bench.effect(of: [unit]), damage))
    }
  }
}

/// Runs the baseline with some of the candidate's weights over the inputs that drifted most.
struct SwapBench {
  let encoder: AttributedEncoder
  let drifted: DriftedInputs
  /// Of the inputs that the encoder takes.
  let places: [Int]

  /// Measures the effect of swapping weights together.
  func effect(of units: some Sequence<WeightUnit>) throws -> SwapEffect {
    SwapEffect(
      drifted.before.replacing(places, with: try outputs(swapping: units.flatMap(\.names))),
      from: drifted.before, isEmbedding: drifted.evaluation.givesEmbeddings)
  }

  /// Outputs of the baseline with the candidate's weights of some names, one row per place.
  func outputs(swapping names: [TensorName]) throws -> OutputMatrix {
    let swapped = encoder.runner.replacing(names, by: encoder.swapping(names))
    let references = drifted.evaluation.references
    return try references.naming(places.map { drifted.numbers[$0] }) {
      try swapped.outputs(for: $0, images: references.images)
    }
  }

  func attribute(_ unit: WeightUnit, _ effect: SwapEffect, _ damage: WeightDamage)
    -> AttributedWeight
  {
    AttributedWeight(
      unit: unit, effect: effect, share: effect.drift / drifted.whole, damage: damage,
      encoder: encoder.slot.encoder, outcome: drifted.outcome(of: effect, at: places))
  }
}
