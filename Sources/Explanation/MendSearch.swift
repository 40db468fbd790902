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
  static let mostTriesOfFew = 5
  /// Weights that are a few.
  static let few = 6

  let bench: MendBench
  let ladder: RepairLadder
  let verdict: Verdict
  private let progress: (Int) -> Void
  /// What was tried over all references, in order.
  package private(set) var tries = 0
  /// What was found to be wrong behind faults for which the candidate was not run, the worst first.
  package private(set) var further: [Culprit] = []
  private var made: [Repair: [MendBench.Place: [Float]]] = [:]
  /// Whether the baseline's own files beside the weights are part of every change.
  private var exchangesFiles = false
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
    guard !isOfOtherProgram(verdict) else { return nil }
    var ofFiles = try withOwnFiles(verdict, besides: [])
    if ofFiles?.isInside == true { return ofFiles }
    var ways = try ways(for: verdict.culprits)
    if let mend = try mendFaults(ways.faults) { return mend }
    if verdict.causes == nil, !ways.faults.isEmpty {
      let behind = try behind(ways.faults)
      guard !isOfOtherProgram(behind) else { return nil }
      ofFiles = try withOwnFiles(behind, besides: ways.faults) ?? ofFiles
      if ofFiles?.isInside == true { return ofFiles }
      let others = try self.ways(for: further)
      ways = (ways.faults + others.faults, others.options)
      if !others.faults.isEmpty, let mend = try mendFaults(ways.faults) { return mend }
    }
    let (faults, options) = ways
    if let start = try start(beside: faults) {
      if let few = try few(options, start) { return try judged(few) }
      if let many = try many(start) { return try judged(many) }
    }
    if let nearest { return try mend(nearest) }
    return faults.isEmpty ? ofFiles : try judged(faults)
  }

  /// The baseline's own files, where they are blamed; every later change has them, too.
  ///
  /// - Returns: nil where they are not blamed, or are exchanged already.
  private mutating func withOwnFiles(_ verdict: Verdict, besides faults: [Repair]) throws -> Mend? {
    guard verdict.blamesFiles, !exchangesFiles else { return nil }
    exchangesFiles = true
    countTry()
    return try judged(faults)
  }

  /// Whether it is a program that computes something else, which it does with any weights and files.
  private func isOfOtherProgram(_ verdict: Verdict) -> Bool {
    verdict.isOfUnknownComputation && !bench.filesDecide
  }

  /// What mends weights that are plainly wrong, and every way to store the worst of the others.
  private func ways(
    for culprits: [Culprit]
  ) throws -> (faults: [Repair], options: [[Repair]]) {
    let ladders = try culprits.prefix(2 * MendSearch.few).map { culprit in
      let isFault = try ladder.isFault(culprit)
      return (isFault: isFault, repairs: try ladder.repairs(of: culprit, isFault: isFault))
    }.filter { !$0.repairs.isEmpty }
    return (
      ladders.filter(\.isFault).compactMap(\.repairs.first),
      ladders.filter { !$0.isFault }.prefix(MendSearch.few).map(\.repairs)
    )
  }

  /// The verdict on a candidate without faults for which it was not run: nothing said what else is
  /// wrong.
  private mutating func behind(_ faults: [Repair]) throws -> Verdict {
    countTry()
    let judged = try bench.verdict(
      try values(of: faults), preparation: exchangesFiles, isAttributed: true)
    let mended = Set(faults.map(\.place))
    further = judged.culprits.filter { culprit in
      let place = culprit.weight.flatMap { bench.place($0, of: culprit.encoder) }
      return place.map { !mended.contains($0) } ?? true
    }
    return judged
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
    if base.isEmpty, !exchangesFiles, let metrics = verdict.metrics, verdict.causes != nil {
      use = verdict.limits.use(metrics)
    } else {
      let measured = try bench.measure(base)
      (inputs, use) = (measured.inputs, measured.use)
    }
    let drift = try bench.drift(base, at: inputs)
    guard drift.isFinite, drift > 0, use.isFinite else { return nil }
    return Start(faults: faults, inputs: inputs, drift: drift, use: use)
  }

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
    let judged = try bench.verdict(try values(of: repairs), preparation: exchangesFiles)
    let isMissed = judged.refusals.contains { if case .limit = $0 { true } else { false } }
    return try mend(
      repairs, metrics: judged.metrics, isInside: judged.isPassed,
      obstacle: judged.isPassed || isMissed ? nil : judged.reasons.first)
  }

  private func mend(_ nearest: Attempt) throws -> Mend {
    try mend(nearest.repairs, metrics: nearest.measured.metrics, isInside: false, obstacle: nil)
  }

  private func mend(
    _ repairs: [Repair], metrics: DriftMetrics?, isInside: Bool, obstacle: String?
  ) throws -> Mend {
    Mend(
      repairs: repairs, exchangesFiles: exchangesFiles, metrics: metrics, isInside: isInside,
      obstacle: obstacle, recipe: exchangesFiles ? nil : try ladder.recipe(with: repairs),
      limits: verdict.limits, missed: verdict.metrics.flatMap(verdict.limits.tightest))
  }
}
