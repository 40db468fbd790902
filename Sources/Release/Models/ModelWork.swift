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
  enum Inputs: Sendable {
    case known(JobInputs)
    case unusable(ModelFault)

    /// Names the inputs; what is unusable has a name that no other job has.
    var digest: ContentDigest? {
      if case .known(let inputs) = self { inputs.digest } else { nil }
    }
  }

  let plan: BuildPlan
  let inputs: [Inputs]
  /// Names each job's work; nil when it cannot be worked on.
  private let keys: [ActionKey?]
  let maker: ModelMaker
  let folder: OutputFolder
  let jobs: Int
  private let memory: ModelMemory
  let progress: (BuildEvent) -> Void
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
    inputs = try ModelWork.inputs(of: plan.jobs, opening: memory, threads: request.jobs)
    let (inputs, tool) = (inputs, request.tool)
    keys = Workers.map(inputs.count, inRunsOf: 64, jobs: request.jobs) { run in
      run.map { if case .known(let inputs) = inputs[$0] { inputs.action(by: tool) } else { nil } }
    }.flatMap { $0 }
    maker = ModelMaker(request, in: folder, opening: memory)
    jobs = request.jobs
    self.memory = memory
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
      let trained = try TrainedModel(of: job.key, opening: memory)
      return .known(try JobInputs(of: job.key, trained, opening: memory))
    } catch {
      if let fault = MachineFault.fault(in: error, of: job.key) { throw fault }
      return .unusable(.error(error))
    }
  }

  /// The same of many; those of small models that are open on several threads.
  private static func inputs(
    of jobs: [BuildPlan.Job], opening memory: ModelMemory, threads: Int
  ) throws -> [Inputs] {
    let open = jobs.indices.filter { memory.holdsSmall(jobs[$0].key) }
    let early = Workers.map(open.count, jobs: threads) { place in
      Result { try inputs(of: jobs[open[place]], opening: memory) }
    }
    var known = Dictionary(zip(open, early)) { first, _ in first }
    return try jobs.indices.map { place in
      try known.removeValue(forKey: place)?.get() ?? inputs(of: jobs[place], opening: memory)
    }
  }

  /// Names all work.
  var actions: [ActionKey] { plan.jobs.indices.compactMap(action) }

  /// Names a job's work; nil when it cannot be worked on.
  func action(of job: Int) -> ActionKey? { keys[job] }

  /// The outcome of a job that was worked on.
  func outcome(of job: Int) -> ModelOutcome {
    if case .unusable(let fault) = inputs[job] { return .unusable(fault) }
    return keys[job].flatMap { outcomes[$0] } ?? .unusable(.notMade)
  }

  /// Makes the models of some jobs, or brings them back from the store.
  ///
  /// - Parameter cached: keys of the work that is done, in a build of shards; a model among them that
  ///   is not in the store is an error.
  func work(on needed: [Int], cached: Set<String> = []) throws {
    let todo = todo(needed)
    var place = 0
    while place < todo.count {
      try beginFamily(of: plan.jobs[todo[place].job], place)
      let some = makeableTogether(todo, from: place)
      let attempts = some.count > 1 ? attempt(todo[some], cached: cached) : [:]
      for number in some {
        let (job, key) = todo[number]
        if let outcome = outcomes[key] {
          // A member that was made from the same as another one.
          report(
            job, key, outcome, isCached: stored.contains(key), evidence(of: job, outcome, nil, []))
          continue
        }
        func tell(_ notice: ModelNotice) { self.tell(notice, of: job, number + 1, of: todo) }
        if let attempt = attempts[key] { attempt.notices.forEach(tell) }
        let made = try attempts[key]?.result.get() ?? make(job, key, cached: cached, telling: tell)
        try finish(job, key, made)
      }
      place = some.upperBound
    }
    try beginFamily(of: nil, todo.count)
    memory.forget()
  }

  private func make(
    _ job: Int, _ key: ActionKey, cached: Set<String>, telling tell: (ModelNotice) -> Void
  ) throws -> MadeModel {
    guard case .known(let inputs) = inputs[job] else { return MadeModel(outcome(of: job)) }
    return try maker.make(
      plan.jobs[job], inputs, key, onlyCached: cached.contains(key.description), telling: tell)
  }

  private func finish(_ job: Int, _ key: ActionKey, _ made: MadeModel) throws {
    if let trained = made.trained {
      try putTokenizers(of: made.outcome, plan.jobs[job], trained)
      try putRecipes(of: made.outcome, plan.jobs[job])
    }
    outcomes[key] = made.outcome
    if made.isCached { stored.insert(key) }
    report(
      job, key, made.outcome, isCached: made.isCached,
      evidence(of: job, made.outcome, made.verdict, made.trials))
  }

  /// Whether work has no outcome yet.
  func isOpen(_ key: ActionKey) -> Bool { outcomes[key] == nil }

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

  /// Says what is to be known of the work on a job.
  private func tell(
    _ notice: ModelNotice, of job: Int, _ number: Int, of todo: [(job: Int, key: ActionKey)]
  ) {
    switch notice {
    case .starting(let method): start(job, method, number, of: todo)
    case .warning(let text): warn(plan.jobs[job], text)
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
  static let deferredCount = 1024

  /// Begins to count the members of a job's family, and tells of the family before.
  private func beginFamily(of job: BuildPlan.Job?, _ number: Int) throws {
    let isOther = tally?.name != job?.family
    if isOther || number % Self.deferredCount == 0 { try maker.store?.store.keepDeferred() }
    if job?.family != nil { maker.store?.store.deferResults() }
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
