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
    var todo: [(job: Int, key: ActionKey)] = []
    for job in needed {
      guard let key = action(of: job), outcomes[key] == nil,
        !todo.contains(where: { $0.key == key })
      else { continue }
      todo.append((job, key))
    }
    for (number, (job, key)) in todo.enumerated() {
      var verdict: Verdict?, trials: [JudgedTrial] = []
      let (outcome, isCached) = try self.outcome(
        of: job, key, onlyCached: cached.contains(key.description),
        look: { (verdict, trials) = ($0, $1) }
      ) { method in
        progress(
          .proving(
            model: plan.jobs[job].label, method: method, number: number + 1, of: todo.count))
      }
      outcomes[key] = outcome
      report(
        plan.jobs[job].label, key, outcome, isCached: isCached,
        evidence(of: job, outcome, verdict, trials))
    }
    memory.forget()
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
      job: job, inputs: inputs, trained: trained, paths: paths("\(key)", of: job), jobs: jobs,
      naming: naming, stepping: stepping)
    let outcome = try work.run(
      warn: { progress(.warning("\(job.label): \($0)")) }, look: look)
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
      progress(.warning("\(job.label): the store's \(key) is of no use, made anew: \(error)"))
      return nil
    }
  }

  private func paths(_ name: String, of job: BuildPlan.Job) -> ScratchPaths {
    ScratchPaths(start: folder.working(name), format: job.key.form.format)
  }

  private func report(
    _ label: String, _ key: ActionKey, _ outcome: ModelOutcome, isCached: Bool,
    _ evidence: BuildEvidence?
  ) {
    let verdict: BuildReport.Model.Verdict
    switch outcome {
    case .proven(let model):
      verdict = .passed
      if isCached { model.warnings.forEach { progress(.warning("\(label): \($0)")) } }
      let limits = outcome.limits?.words ?? ""
      progress(
        isCached
          ? .recalled(model: label, limits: limits) : .proven(model: label, limits: limits))
    case .refused(let refusal):
      verdict = .refused
      progress(.refusedModel(model: label, reasons: refusal.lines))
    case .unusable(let fault):
      verdict = .unusable
      progress(.unusableModel(model: label, reasons: fault.reasons))
    }
    reports.append(
      BuildReport.Model(
        model: label, key: key.description, verdict: verdict, isCached: isCached,
        source: outcome.source, outlooks: outcome.outlooks, known: outcome.known,
        limits: outcome.limits, findings: outcome.findings, explanation: outcome.explanation,
        evidence: evidence,
        recipes: outcome.recipes))
  }
}
