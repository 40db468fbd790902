import Files
import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project
import Search
import Proving
import Store
import StrictJSON
import WeightCompression
import Weights

/// The models of a build: the inputs of each, and the outcomes of those that are needed.
///
/// Models of equal inputs are made once, from any path.
final class ModelWork {
  /// The inputs of a job, or why they are unusable.
  enum Inputs {
    case known(JobInputs)
    case unusable(ModelFault)

    /// Names the inputs; what is unusable has a name that no other job has.
    var digest: ContentDigest? {
      if case .known(let inputs) = self { inputs.digest } else { nil }
    }
  }

  /// A model that a merged build needs and no shard has cached.
  struct Missing: Error, CustomStringConvertible {
    let model: String
    let key: ActionKey

    var description: String {
      "model '\(model)' (\(key)) is not in the store; run its shard again, "
        + "or give the store that the shards used"
    }
  }

  let plan: BuildPlan
  let inputs: [Inputs]
  private let tool: BuildTool
  private let store: ModelStore?
  private let folder: OutputFolder
  private let jobs: Int
  private let memory: ModelMemory
  private let naming: UserOption.Names
  private let stepping: @Sendable (ModelStep) -> Void
  private let progress: (BuildEvent) -> Void
  private var outcomes: [ActionKey: ModelOutcome] = [:]
  /// Work whose result the store had.
  private var stored: Set<ActionKey> = []
  /// The family whose members are worked on; nil if none is.
  private var tally: FamilyTally?
  private(set) var reports: [BuildReport.Model] = []

  /// Reads the inputs of every job.
  ///
  /// - Parameter memory: opens the models; it may hold the one that was validated last.
  /// - Throws: `FileError` when the machine cannot.
  init(
    _ plan: BuildPlan, _ request: BuildRequest, in folder: OutputFolder,
    opening memory: ModelMemory = ModelMemory(),
    progress: @escaping (BuildEvent) -> Void
  ) throws {
    self.plan = plan
    inputs = try plan.jobs.map { try ModelWork.inputs(of: $0, opening: memory) }
    tool = request.tool
    store = request.store.map(ModelStore.init)
    jobs = request.jobs
    self.memory = memory
    naming = request.naming
    stepping = request.stepping
    self.folder = folder
    self.progress = progress
  }

  /// The inputs of a job.
  ///
  /// - Throws: `FileError`, since every file was there a moment ago.
  static func inputs(
    of job: BuildPlan.Job, opening memory: ModelMemory
  ) throws -> Inputs {
    do {
      return .known(try JobInputs(of: job.key, try TrainedModel(of: job.key, opening: memory)))
    } catch {
      if let fault = MachineFault.fault(in: error, of: job.key) { throw fault }
      return .unusable(.error(error))
    }
  }

  /// Names all work.
  var actions: [ActionKey] { plan.jobs.indices.compactMap(action) }

  /// Names a job's work; nil when it cannot be worked on.
  func action(of job: Int) -> ActionKey? {
    if case .known(let inputs) = inputs[job] { inputs.action(by: tool) } else { nil }
  }

  /// The outcome of a job that was worked on.
  func outcome(of job: Int) -> ModelOutcome {
    switch inputs[job] {
    case .unusable(let fault): .unusable(fault)
    case .known(let inputs):
      outcomes[inputs.action(by: tool)] ?? .unusable(.notMade)
    }
  }

  /// Makes the models of some jobs, or brings them back from the store.
  ///
  /// - Parameter cached: keys of the work that is done, in a build of shards; a model among them that
  ///   is not in the store is an error.
  func work(on needed: [Int], cached: Set<String> = []) throws {
    let todo = todo(needed)
    for (number, (job, key)) in todo.enumerated() {
      try beginFamily(of: plan.jobs[job], number)
      var verdict: Verdict?, trials: [JudgedTrial] = []
      if let outcome = outcomes[key] {
        // A member that was made from the same as another one.
        report(
          job, key, outcome, isCached: stored.contains(key), evidence(of: job, outcome, nil, []))
        continue
      }
      let (outcome, isCached) = try self.outcome(
        of: job, key, onlyCached: cached.contains(key.description),
        look: { (verdict, trials) = ($0, $1) }
      ) { method in
        start(job, method, number + 1, of: todo)
      }
      outcomes[key] = outcome
      if isCached { stored.insert(key) }
      report(job, key, outcome, isCached: isCached, evidence(of: job, outcome, verdict, trials))
    }
    try beginFamily(of: nil, todo.count)
    memory.forget()
  }

  /// The jobs to work on, each work once; of members of a family each one, in the end.
  private func todo(_ needed: [Int]) -> [(job: Int, key: ActionKey)] {
    var keys = Set(outcomes.keys)
    var members: Set<Int> = []
    return needed.compactMap { job in
      guard let key = action(of: job) else { return nil }
      let isNew = keys.insert(key).inserted
      guard isNew || plan.jobs[job].family != nil && members.insert(job).inserted else {
        return nil
      }
      members.insert(job)
      return (job, key)
    }
  }

  /// Says that work on a job begins; of members of a family once.
  private func start(
    _ job: Int, _ method: String, _ number: Int, of todo: [(job: Int, key: ActionKey)]
  ) {
    guard let family = plan.jobs[job].family else {
      return progress(
        .proving(
          model: plan.jobs[job].label, method: method, number: number, of: todo.count))
    }
    if tally?.begin() == true {
      let members = todo.count { plan.jobs[$0.job].family == family }
      progress(
        .proving(
          model: family, method: "\(Figures.count(members, "member")), \(method)", number: number,
          of: todo.count))
    }
    progress(.provingMember(number: number, of: todo.count))
  }

  /// Members whose results wait for the disk together.
  private static let deferredCount = 256

  /// Begins to count the members of a job's family, and tells of the family before.
  private func beginFamily(of job: BuildPlan.Job?, _ number: Int) throws {
    let isOther = tally?.name != job?.family
    if isOther || number % Self.deferredCount == 0 { try store?.store.keepDeferred() }
    if job?.family != nil { store?.store.deferResults() }
    guard isOther else { return }
    if let tally {
      tally.warningLines.forEach { progress(.warning($0)) }
      progress(.family(name: tally.name, outcome: tally.words))
    }
    tally = job?.family.map { FamilyTally($0) }
  }

  /// Tells what is doubtful of a job's model; of members of a family in the end.
  private func warn(_ job: BuildPlan.Job, _ text: String) {
    if job.family != nil, tally != nil {
      tally?.warn(job.label, text)
    } else {
      progress(.warning("\(job.label): \(text)"))
    }
  }

  private func outcome(
    of number: Int, _ key: ActionKey, onlyCached: Bool, look: (Verdict, [JudgedTrial]) -> Void,
    starting: (String) -> Void
  ) throws -> (ModelOutcome, isCached: Bool) {
    let job = plan.jobs[number]
    guard case .known(let inputs) = inputs[number] else { return (self.outcome(of: number), false) }
    let trained: TrainedModel
    do {
      trained = try TrainedModel(of: job.key, opening: memory)
    } catch {
      if let fault = MachineFault.fault(in: error, of: job.key) { throw fault }
      return (.unusable(.changed), false)
    }
    if let store, let cached = cached(key, of: job, trained, in: store) {
      try putTokenizers(of: cached, job, trained)
      try putRecipes(of: cached, job)
      return (cached, true)
    }
    if onlyCached { throw Missing(model: job.label, key: key) }
    starting(job.key.compression.label)
    let work = ModelJob(
      job: job, inputs: inputs, trained: trained, paths: paths("\(key)", of: job),
      // Threads cost more than they save on models of a few kilobytes.
      jobs: job.family == nil ? jobs : 1,
      naming: naming, stepping: stepping)
    let outcome = try work.run(
      warn: { warn(job, $0) }, look: look)
    // Opened once more, since a model that is open tells nothing of a file that took its place.
    memory.forget()
    guard case .known(let found) = try ModelWork.inputs(of: job, opening: memory),
      found.action(by: tool) == key, outcome.receipts.allSatisfy(inputs.areOf)
    else { return (.unusable(.changed), false) }
    try store?.save(outcome, for: key)
    try putTokenizers(of: outcome, job, trained)
    try putRecipes(of: outcome, job)
    return (outcome, false)
  }

  /// Puts the trained tokenizers of encoders that lost tokens beside the packages.
  private func putTokenizers(
    of outcome: ModelOutcome, _ job: BuildPlan.Job, _ trained: TrainedModel
  ) throws {
    guard job.key.keptTokens != nil, case .proven(let model) = outcome else { return }
    for (part, encoder) in zip(model.parts, trained.shipping) where encoder.kind == .text {
      try folder.put(tokenizerOf: encoder, for: part.emitted)
    }
  }

  /// Puts the recipes that a search found into the output folder.
  private func putRecipes(of outcome: ModelOutcome, _ job: BuildPlan.Job) throws {
    guard case .proven(let model) = outcome else { return }
    for recipe in model.parts.compactMap(\.recipe) {
      let path = try folder.put(recipe)
      progress(.note("\(job.label): found the recipe \(recipe.label), in \(path)"))
    }
  }

  /// The store's result of a job; nil, with a warning, when it is useless.
  private func cached(
    _ key: ActionKey, of job: BuildPlan.Job, _ trained: TrainedModel, in store: ModelStore
  ) -> ModelOutcome? {
    do {
      return try store.outcome(
        for: key, of: job, trained, at: paths("\(key)-cached", of: job), jobs: jobs)
    } catch {
      warn(job, "the store's \(key) is of no use, made anew: \(error)")
      return nil
    }
  }

  private func paths(_ name: String, of job: BuildPlan.Job) -> ScratchPaths {
    ScratchPaths(start: folder.working(name), format: job.key.form.format)
  }

  private func report(
    _ number: Int, _ key: ActionKey, _ outcome: ModelOutcome, isCached: Bool,
    _ evidence: BuildEvidence?
  ) {
    let job = plan.jobs[number], label = job.label
    let model = BuildReport.Model(
      model: label, family: job.family, key: key.description, verdict: outcome.word,
      isCached: isCached, source: outcome.source, outlooks: outcome.outlooks, known: outcome.known,
      limits: outcome.limits, findings: outcome.findings, explanation: outcome.explanation,
      evidence: evidence, recipes: outcome.recipes)
    reports.append(model)
    tally?.add(model)
    switch outcome {
    case .proven(let proven):
      if isCached { proven.warnings.forEach { warn(job, $0) } }
      guard job.family == nil else { return }
      let limits = outcome.limits?.words ?? ""
      progress(
        isCached
          ? .recalled(model: label, limits: limits) : .proven(model: label, limits: limits))
    case .refused(let refusal): progress(.refusedModel(model: label, reasons: refusal.lines))
    case .unusable(let fault): progress(.unusableModel(model: label, reasons: fault.reasons))
    }
  }
}
