package import Gate
import Graph
import Inputs
import WeightCompression

/// Looks for the cheapest change of a candidate that the gate lets pass.
///
/// Weights that are plainly wrong are taken from the model as trained. Of those that are only rounded,
/// every way is tried over the inputs that drifted most; what that says of sums is enough to choose
/// what is tried over all references. One weight alone goes before several, and fewer bytes before
/// more. What is returned was judged by the whole gate.
package struct MendSearch {
  /// Changes that are tried over all references, at most.
  package static let mostTries = 5
  /// Weights that a change may be of, at most.
  private static let mostWeights = 6

  private let bench: MendBench
  private let ladder: RepairLadder
  private let verdict: Verdict
  /// What was tried over all references, in order.
  package private(set) var tries = 0
  private var made: [Repair: [MendBench.Place: [Float]]] = [:]

  package init(_ bench: MendBench, of verdict: Verdict, jobs: Int) {
    (self.bench, self.verdict) = (bench, verdict)
    ladder = RepairLadder(bench, jobs: jobs)
  }

  /// The cheapest change that is inside the limits, or else the one that comes nearest; nil if
  /// nothing can be changed.
  ///
  /// - Throws: as the gate and compression.
  package mutating func run() throws -> Mend? {
    let culprits = verdict.culprits
    if culprits.contains(where: { [.tokenizer, .preprocessing].contains($0.subject) }) {
      return try withOwnFiles()
    }
    let ladders = try culprits.prefix(2 * MendSearch.mostWeights).map {
      (culprit: $0, repairs: try ladder.repairs(of: $0, in: verdict.causes))
    }.filter { !$0.repairs.isEmpty }
    let faults = ladders.filter(\.culprit.isFault).compactMap(\.repairs.first)
    if let mend = try mendFaults(faults) { return mend }
    let options = ladders.filter { !$0.culprit.isFault }.prefix(MendSearch.mostWeights)
    guard !options.isEmpty else {
      return faults.isEmpty ? nil : try judged(faults)
    }
    return try cheapest(options.map(\.repairs), beside: faults)
  }

  private mutating func withOwnFiles() throws -> Mend {
    tries += 1
    let judged = try bench.verdict([:], preparation: true)
    return try mend([], exchangesFiles: true, judged)
  }

  /// The faults alone, the worst first, as few as are enough; nil if all together are not.
  private mutating func mendFaults(_ faults: [Repair]) throws -> Mend? {
    for count in Set([1, faults.count]).sorted() where count > 0 && count <= faults.count {
      let some = Array(faults.prefix(count))
      tries += 1
      guard try bench.measure(try values(of: some)).isInside else { continue }
      let mend = try judged(some)
      if mend.isInside { return mend }
    }
    return nil
  }

  // MARK: Rounding

  /// The cheapest of all combinations that is inside, by what they were predicted to do.
  private mutating func cheapest(
    _ options: [[Repair]], beside faults: [Repair]
  ) throws -> Mend? {
    let base = try values(of: faults)
    let start = try start(with: base)
    let before = try bench.drift(base, at: start.inputs)
    guard before.isFinite, before > 0, start.use.isFinite else {
      return faults.isEmpty ? nil : try judged(faults)
    }
    let best = options.compactMap(\.last)
    let floor = try bench.drift(try values(of: faults + best), at: start.inputs)
    var losses: [[Double]] = []
    for (place, repairs) in options.enumerated() {
      let others = faults + best.indices.filter { $0 != place }.map { best[$0] }
      losses.append(
        try ([nil] + repairs).map { repair in
          let all = others + (repair.map { [$0] } ?? [])
          return try bench.drift(try values(of: all), at: start.inputs) - floor
        })
    }
    var choice = RepairChoice(
      options, losses: losses, floor: floor, before: before, use: start.use)
    var inside: RepairChoice.Combination?
    var nearest: (repairs: [Repair], measured: MendBench.Measured)?
    while tries < MendSearch.mostTries, let next = choice.next(below: inside) {
      tries += 1
      let measured = try bench.measure(try values(of: faults + choice.repairs(next)))
      choice.take(next, measured)
      if measured.use < nearest?.measured.use ?? .infinity {
        nearest = (faults + choice.repairs(next), measured)
      }
      guard measured.isInside else { continue }
      // A later one is cheaper.
      inside = next
      if measured.use > RepairChoice.wellUsed { break }
    }
    if let inside { return try judged(faults + choice.repairs(inside)) }
    return try nearest.map {
      Mend(
        repairs: $0.repairs, exchangesFiles: false, metrics: $0.measured.metrics, isInside: false,
        obstacle: nil, recipe: try ladder.recipe(with: $0.repairs), limits: verdict.limits,
        missed: verdict.metrics.flatMap(verdict.limits.tightest))
    }
  }

  /// Where to start from: what the gate measured of the candidate, unless weights of it are mended
  /// already.
  private func start(
    with base: [MendBench.Place: [Float]]
  ) throws -> (inputs: [Int], use: Double) {
    if base.isEmpty, let metrics = verdict.metrics, let causes = verdict.causes {
      return (causes.inputs, verdict.limits.use(metrics))
    }
    let measured = try bench.measure(base)
    return (measured.inputs, measured.use)
  }

  private mutating func values(of repairs: [Repair]) throws -> [MendBench.Place: [Float]] {
    var all: [MendBench.Place: [Float]] = [:]
    for repair in repairs {
      let values = try made[repair] ?? ladder.values(of: repair)
      made[repair] = values
      all.merge(values) { $1 }
    }
    return all
  }

  // MARK: The answer

  /// What the whole gate says.
  private mutating func judged(_ repairs: [Repair]) throws -> Mend {
    try mend(repairs, exchangesFiles: false, try bench.verdict(try values(of: repairs)))
  }

  private func mend(
    _ repairs: [Repair], exchangesFiles: Bool, _ judged: Verdict
  ) throws -> Mend {
    let isMissed = judged.refusals.contains { if case .limit = $0 { true } else { false } }
    return Mend(
      repairs: repairs, exchangesFiles: exchangesFiles, metrics: judged.metrics,
      isInside: judged.isPassed,
      obstacle: judged.isPassed || isMissed ? nil : judged.reasons.first,
      recipe: exchangesFiles ? nil : try ladder.recipe(with: repairs),
      limits: verdict.limits, missed: verdict.metrics.flatMap(verdict.limits.tightest))
  }
}
