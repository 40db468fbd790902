import Files
import Formats
import Graph
import Gate
import Project
import Search
import Store
import Weights

/// Makes one model of a build, or brings it back from the store; on any thread.
struct ModelMaker: Sendable {
  /// A model that a merged build needs and no shard has cached.
  struct Missing: Error, CustomStringConvertible {
    let model: String
    let key: ActionKey

    var description: String {
      "model '\(model)' (\(key)) is not in the store; run its shard again, "
        + "or give the store that the shards used"
    }
  }

  let store: ModelStore?
  private let tool: BuildTool
  private let folder: OutputFolder
  private let jobs: Int
  private let memory: ModelMemory
  private let naming: UserOption.Names
  private let stepping: @Sendable (ModelStep) -> Void
  /// Bytes of models as trained whose compressed ones are held in memory.
  private let held = HeldBytes()

  init(_ request: BuildRequest, in folder: OutputFolder, opening memory: ModelMemory) {
    store = request.store.map(ModelStore.init)
    tool = request.tool
    jobs = request.jobs
    naming = request.naming
    stepping = request.stepping
    self.folder = folder
    self.memory = memory
  }

  /// Makes a job's model, or brings it back.
  ///
  /// - Parameters:
  ///   - key: names the work on `inputs`.
  ///   - onlyCached: whether it must be in the store.
  ///   - tell: told what is to be known, as it happens.
  /// - Throws: `Missing`, and what is wrong with the machine.
  func make(
    _ job: BuildPlan.Job, _ inputs: JobInputs, _ key: ActionKey, onlyCached: Bool,
    telling tell: (ModelNotice) -> Void
  ) throws -> MadeModel {
    defer { if job.family != nil { memory.forget(job.key) } }
    let trained: TrainedModel
    do {
      trained = try TrainedModel(of: job.key, opening: memory)
    } catch {
      if let fault = MachineFault.fault(in: error, of: job.key) { throw fault }
      return MadeModel(.unusable(.changed))
    }
    // Threads cost more than they save on models of a few kilobytes.
    let jobs = job.family != nil && inputs.isSmall ? 1 : jobs
    if let store, let cached = cached(key, of: job, trained, in: store, jobs: jobs, tell) {
      return MadeModel(cached, isCached: true, of: trained)
    }
    if onlyCached { throw Missing(model: job.label, key: key) }
    tell(.starting(method: job.key.compression.label))
    let work = ModelJob(
      job: job, inputs: inputs, trained: trained, memory: memory,
      paths: paths("\(key)", of: job, in: storage(of: job, trained)),
      jobs: jobs, naming: naming, stepping: stepping)
    var made = MadeModel(.unusable(.notMade), of: trained)
    made.outcome = try work.run(
      warn: { tell(.warning($0)) }, look: { (made.verdict, made.trials) = ($0, $1) })
    guard try isOf(inputs, key, made.outcome, of: job) else {
      made.outcome = .unusable(.changed)
      return made
    }
    try store?.save(made.outcome, for: key)
    return made
  }

  /// Whether an outcome is of the inputs that named the work.
  private func isOf(
    _ inputs: JobInputs, _ key: ActionKey, _ outcome: ModelOutcome, of job: BuildPlan.Job
  ) throws -> Bool {
    guard outcome.receipts.allSatisfy(inputs.areOf) else { return false }
    // A model that is open tells nothing of a file that took its place.
    if !memory.isSurelyAsOpened(job.key) { memory.forget(job.key) }
    guard case .known(let found) = try ModelWork.inputs(of: job, opening: memory) else {
      return false
    }
    return found.action(by: tool) == key
  }

  /// The store's result of a job; nil, with a warning, when it is useless.
  private func cached(
    _ key: ActionKey, of job: BuildPlan.Job, _ trained: TrainedModel, in store: ModelStore,
    jobs: Int, _ tell: (ModelNotice) -> Void
  ) -> ModelOutcome? {
    do {
      return try store.outcome(
        for: key, of: job, trained, opening: memory, at: paths("\(key)-cached", of: job),
        jobs: jobs)
    } catch {
      tell(.warning("the store's \(key) is of no use, made anew: \(error)"))
      return nil
    }
  }

  private func paths(
    _ name: String, of job: BuildPlan.Job, in storage: StagedFile.Storage = .disk
  ) -> ScratchPaths {
    ScratchPaths(start: folder.working(name), format: job.key.form.format, storage: storage)
  }

  /// Where a model is kept until packages and the store have it: a small member of a family in memory, as
  /// long as there is room. What a search finds is opened once more, from disk.
  private func storage(
    of job: BuildPlan.Job, _ trained: TrainedModel
  ) -> StagedFile.Storage {
    let models = trained.encoders
    guard job.family != nil, models.allSatisfy(\.isSmall), job.key.compression.search == nil,
      let byteCount = models.first?.sourceByteCount, held.take(byteCount)
    else { return .disk }
    return .memory
  }
}

/// The room for models that are held in memory until a build ends.
private final class HeldBytes: Sendable {
  private static let limit = 64 << 20

  private let free = Mutex(HeldBytes.limit)

  /// Takes some of it; whether it was there.
  func take(_ byteCount: Int) -> Bool {
    free.withLock { free in
      guard byteCount <= free else { return false }
      free -= byteCount
      return true
    }
  }
}

/// What is to be known while a model is made.
enum ModelNotice: Sendable {
  /// It is made, in words; the store did not have it.
  case starting(method: String)
  /// Something doubtful.
  case warning(String)
}

/// A model that was made, or brought back.
struct MadeModel: Sendable {
  var outcome: ModelOutcome
  let isCached: Bool
  /// The model as trained; nil where it could not be worked on.
  let trained: TrainedModel?
  /// Nil where the store had it, and where no gate ran.
  var verdict: Verdict?
  /// The candidates of a search, in order; empty without one.
  var trials: [JudgedTrial] = []

  init(_ outcome: ModelOutcome, isCached: Bool = false, of trained: TrainedModel? = nil) {
    self.outcome = outcome
    self.isCached = isCached
    self.trained = trained
  }
}
