package import Gate
import Graph
import Inputs
import WeightCompression

/// Looks for the cheapest change of a candidate that the gate lets pass.
///
/// Weights that are plainly wrong are taken from the model as trained. Of a few that are only rounded,
/// every way is tried over the inputs that drifted most; what that says of sums is enough to choose
/// what is tried over all references. One weight alone goes before several, and fewer bytes before
/// more. Where these few are not enough, many are lifted to one level (`MendSearch+Many`). What is
/// returned was judged by the whole gate.
package struct MendSearch {
  /// Changes that are tried over all references, at most.
  package static let mostTries = 8
  /// Of these, changes of a few weights alone.
  private static let mostTriesOfFew = 5
  /// Weights that are a few.
  static let few = 6

  let bench: MendBench
  let ladder: RepairLadder
  let verdict: Verdict
  private let progress: (Int) -> Void
  /// What was tried over all references, in order.
  package private(set) var tries = 0
  private var made: [Repair: [MendBench.Place: [Float]]] = [:]
  /// The change of rounded weights that came nearest without being inside; nil if none was tried.
  private var nearest: Attempt?

  /// A change that was tried over all references.
  private struct Attempt {
    let repairs: [Repair]
    let measured: MendBench.Measured
  }

  /// What changes of rounded weights start from: the candidate without what is plainly wrong.
  struct Start {
    let faults: [Repair]
    /// The inputs that drift most.
    let inputs: [Int]
    /// The drift over these.
    let drift: Double
    /// The part of the limits that is used.
    let use: Double

    /// The part of the limits that one unit of drift uses.
    var rate: Double { max(use, RepairChoice.missed) / drift }
  }

  /// - Parameter progress: told before each try how many there were.
  package init(
    _ bench: MendBench, of verdict: Verdict, jobs: Int,
    progress: @escaping (Int) -> Void = { _ in }
  ) {
    (self.bench, self.verdict, self.progress) = (bench, verdict, progress)
    ladder = RepairLadder(bench, jobs: jobs)
  }

  /// The cheapest change that is inside the limits, or else the one that comes nearest; nil if
  /// nothing can be changed.
  ///
  /// - Throws: as the gate and compression.
  package mutating func run() throws -> Mend? {
    let culprits = verdict.culprits
    let ladders = try culprits.prefix(2 * MendSearch.few).map { culprit in
      let isFault = try ladder.isFault(culprit)
      return (isFault: isFault, repairs: try ladder.repairs(of: culprit, isFault: isFault))
    }.filter { !$0.repairs.isEmpty }
    let faults = ladders.filter(\.isFault).compactMap(\.repairs.first)
    if verdict.blamesFiles { return try withOwnFiles(and: faults) }
    if let mend = try mendFaults(faults) { return mend }
    let options = ladders.filter { !$0.isFault }.prefix(MendSearch.few).map(\.repairs)
    if let start = try start(beside: faults) {
      if let few = try few(options, start) { return try judged(few) }
      if let many = try many(start) { return try judged(many) }
    }
    if let nearest { return try mend(nearest) }
    return faults.isEmpty ? nil : try judged(faults)
  }

  /// The baseline's own files, and where they are not enough its weights for those at fault besides.
  private mutating func withOwnFiles(and faults: [Repair]) throws -> Mend {
    let files = try withOwnFiles(besides: [])
    return files.isInside || faults.isEmpty ? files : try withOwnFiles(besides: faults)
  }

  private mutating func withOwnFiles(besides repairs: [Repair]) throws -> Mend {
    countTry()
    let judged = try bench.verdict(try values(of: repairs), preparation: true)
    return try mend(repairs, exchangesFiles: true, judged)
  }

  /// The faults alone, the worst first, as few as are enough; nil if all together are not.
  private mutating func mendFaults(_ faults: [Repair]) throws -> Mend? {
    for count in Set([1, faults.count]).sorted() where count > 0 && count <= faults.count {
      let some = Array(faults.prefix(count))
      countTry()
      guard try bench.measure(try values(of: some)).isInside else { continue }
      let mend = try judged(some)
      if mend.isInside { return mend }
    }
    return nil
  }

  // MARK: Rounding

  /// What the gate measured of the candidate, unless weights of it are mended already; nil where the
  /// drift is not finite.
  private mutating func start(beside faults: [Repair]) throws -> Start? {
    let base = try values(of: faults)
    var (inputs, use) = (verdict.causes?.inputs ?? [], Double.infinity)
    if base.isEmpty, let metrics = verdict.metrics, verdict.causes != nil {
      use = verdict.limits.use(metrics)
    } else {
      let measured = try bench.measure(base)
      (inputs, use) = (measured.inputs, measured.use)
    }
    let drift = try bench.drift(base, at: inputs)
    guard drift.isFinite, drift > 0, use.isFinite else { return nil }
    return Start(faults: faults, inputs: inputs, drift: drift, use: use)
  }

  /// The cheapest of all combinations that is inside, by what they were predicted to do; nil if none
  /// that was tried is.
  private mutating func few(_ options: [[Repair]], _ start: Start) throws -> [Repair]? {
    guard !options.isEmpty else { return nil }
    var choice = RepairChoice(
      options, losses: try losses(of: options, start), floor: try drift(best(of: options), start),
      before: start.drift, use: start.use)
    var inside: RepairChoice.Combination?
    while tries < MendSearch.mostTriesOfFew, let next = choice.next(below: inside) {
      let measured = try attempt(start.faults + choice.repairs(next))
      choice.take(next, measured)
      guard measured.isInside else { continue }
      // A later one is cheaper.
      inside = next
      if measured.use > RepairChoice.wellUsed { break }
    }
    return inside.map { start.faults + choice.repairs($0) }
  }

  /// What each weight loses as it is and in each of its ways, the others in the best of theirs.
  private mutating func losses(of options: [[Repair]], _ start: Start) throws -> [[Double]] {
    let best = best(of: options)
    let floor = try drift(best, start)
    var losses: [[Double]] = []
    for (place, repairs) in options.enumerated() {
      let others = best.indices.filter { $0 != place }.map { best[$0] }
      losses.append(
        try ([nil] + repairs).map { repair in
          try drift(others + (repair.map { [$0] } ?? []), start) - floor
        })
    }
    return losses
  }

  private func best(of options: [[Repair]]) -> [Repair] { options.compactMap(\.last) }

  // MARK: Trying

  /// The drift that is left over the inputs that drifted most.
  mutating func drift(_ repairs: [Repair], _ start: Start) throws -> Double {
    try bench.drift(try values(of: start.faults + repairs), at: start.inputs)
  }

  /// Tries a change over all references.
  mutating func attempt(_ repairs: [Repair]) throws -> MendBench.Measured {
    countTry()
    let measured = try bench.measure(try values(of: repairs))
    if !measured.isInside, measured.use < nearest?.measured.use ?? .infinity {
      nearest = Attempt(repairs: repairs, measured: measured)
    }
    return measured
  }

  private mutating func countTry() {
    progress(tries)
    tries += 1
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

  /// Lets go of the values of all ways but some.
  mutating func forget(allBut repairs: [Repair]) {
    made = made.filter { repairs.contains($0.key) }
  }

  // MARK: The answer

  /// What the whole gate says.
  private mutating func judged(_ repairs: [Repair]) throws -> Mend {
    try mend(repairs, exchangesFiles: false, try bench.verdict(try values(of: repairs)))
  }

  private func mend(_ nearest: Attempt) throws -> Mend {
    Mend(
      repairs: nearest.repairs, exchangesFiles: false, metrics: nearest.measured.metrics,
      isInside: false, obstacle: nil, recipe: try ladder.recipe(with: nearest.repairs),
      limits: verdict.limits, missed: verdict.metrics.flatMap(verdict.limits.tightest))
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
