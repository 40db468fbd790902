import Files
import Formats
import Gate
import Graph
import Inputs
import IngotTokenizers
import Packaging
import Project
import SelfTesting
import Store
import StrictJSON
import WeightCompression
import Weights

/// Keeps the outcomes of models in a store, and brings them back.
///
/// A result is the model's files under `model`, the files beside it under `companions`,
/// `receipt.json`, `selftest.json`, `inputs.json` and `cachekey.txt` for devices, and `recipe.yaml` of what a search found, all of them in a folder `image` or `text` for each encoder of a model with
/// several; of a model that the gate refused, only `refusal.json`.
struct ModelStore: Sendable {
  /// Exit code of a model that the gate refused.
  private static let refusedCode = 3
  static let (modelPath, companions) = ("model", "companions/")
  static let (receiptPath, refusalPath) = ("receipt.json", "refusal.json")
  static let (recipePath, selfTestPath) = ("recipe.yaml", "selftest.json")
  static let (inputsPath, cacheKeyPath) = ("inputs.json", "cachekey.txt")
  /// Largest receipt or refusal that is read, in bytes.
  static let textLimit = 1 << 20

  /// The result under a key does not prove the model that was asked for.
  struct Foreign: Error, CustomStringConvertible {
    let description = "it does not prove this model"
  }

  let store: ContentStore

  /// Keeps an outcome, unless the model could not be used.
  func save(_ outcome: ModelOutcome, for key: ActionKey) throws {
    switch outcome {
    case .proven(let model):
      try store.record(ActionResult(outputs: try save(model), exitCode: 0), for: key)
    case .refused(let refusal): try save(refusal, code: Self.refusedCode, for: key)
    // The cause may be fixed by then, or have been the machine's.
    case .unusable: break
    }
  }

  private func save(_ refusal: ModelRefusal, code: Int, for key: ActionKey) throws {
    let output = try store.output(Array(refusal.json.compact.utf8), as: Self.refusalPath)
    try store.record(ActionResult(outputs: [output], exitCode: code), for: key)
  }

  private func save(_ model: ProvenModel) throws -> [ActionResult.Output] {
    try model.parts.flatMap { part in
      let start = Self.start(of: part.encoder)
      var outputs: [ActionResult.Output] = []
      for file in part.emitted.files {
        let cached =
          try part.emitted.held.map { try store.insert($0) }
          ?? store.insert(file: Folder.join(part.emitted.path, file.path))
        guard cached.digest == file.digest else {
          throw EmissionError.changedMeanwhile(path: part.emitted.path)
        }
        outputs.append(
          ActionResult.Output(
            path: start + Folder.join(Self.modelPath, file.path), digest: cached.digest,
            byteCount: cached.byteCount))
      }
      for (name, bytes) in part.emitted.companions {
        outputs.append(try store.output(bytes, as: start + Self.companions + name))
      }
      if let recipe = part.recipe {
        // A blob, because a recipe is read from a file.
        outputs.append(try save(Array(recipe.yaml.utf8), as: start + Self.recipePath))
      }
      return outputs + [
        try store.output(part.receipt.packedBytes, as: start + Self.receiptPath),
        try store.output(part.device.selfTestBytes, as: start + Self.selfTestPath),
        try store.output(part.device.inputsBytes, as: start + Self.inputsPath),
        try store.output(Array(part.device.cacheKey.hex.utf8), as: start + Self.cacheKeyPath),
      ]
    }
  }

  /// The prefix of an encoder's outputs' paths.
  private static func start(of encoder: EncoderKind?) -> String {
    encoder.map { "\($0.rawValue)/" } ?? ""
  }

  private func save(_ bytes: [UInt8], as path: String) throws -> ActionResult.Output {
    let cached = try store.insert(bytes)
    return ActionResult.Output(path: path, digest: cached.digest, byteCount: cached.byteCount)
  }

  /// Brings an outcome back, every digest taken anew.
  ///
  /// - Parameters:
  ///   - memory: has the references, or reads them.
  ///   - paths: where the model appears for packaging; nothing is copied there.
  ///   - jobs: threads.
  /// - Returns: nil when nothing is cached.
  /// - Throws: `Foreign` when the cached result is not of this very job, and errors from reading
  ///   it.
  func outcome(
    for key: ActionKey, of job: BuildPlan.Job, _ trained: TrainedModel, opening memory: ModelMemory,
    at paths: ScratchPaths, jobs: Int
  ) throws -> ModelOutcome? {
    guard let result = store.result(for: key) else { return nil }
    do {
      let outcome = try outcome(
        result, of: job, trained, opening: memory, at: paths, jobs: jobs)
      store.accept(key)
      return outcome
    } catch {
      store.reject(key)
      throw error
    }
  }

  private func outcome(
    _ result: ActionResult, of job: BuildPlan.Job, _ trained: TrainedModel,
    opening memory: ModelMemory,
    at paths: ScratchPaths, jobs: Int
  ) throws -> ModelOutcome {
    if result.exitCode == Self.refusedCode { return .refused(try refusal(in: result)) }
    guard result.exitCode == 0 else { throw Foreign() }
    let cached = try trained.shipping.map { model in
      let encoder = model.architecture.encoder
      let part = CachedEncoder(store: store, result: result, start: Self.start(of: encoder))
      guard let receipt = try part.receipt(),
        let emitted = try part.emitted(as: job.key.form, at: paths.path(of: encoder))
      else { throw Foreign() }
      let recipe = try job.key.compression.search == nil ? nil : part.recipe()
      return (
        receipt: receipt, emitted: emitted, recipe: recipe, device: try part.device()
      )
    }
    let receipts = try recall(
      cached.map(\.receipt), of: cached.map { ($0.emitted, $0.recipe) }, job, trained,
      opening: memory,
      jobs: jobs)
    // As they were compressed: without the tokens that were dropped.
    let corpus = try job.key.keptTokens.map { try VocabularyCorpus(argument: $0) }
    let shipping = try VocabularyCorpus.reduce(trained.shipping, by: corpus) ?? trained.shipping
    let parts = try zip(zip(shipping, cached), receipts).map { part, receipt in
      let form = try job.key.form.suiting(part.0)
      return ProvenModel.Part(
        encoder: part.0.architecture.encoder, emitted: part.1.emitted, receipt: receipt,
        details: try ModelDetails(part.0, of: job.key, as: form, found: part.1.recipe),
        device: part.1.device, recipe: part.1.recipe)
    }
    return .proven(ProvenModel(parts: parts))
  }

  /// The proofs of encoders that were judged together.
  private func recall(
    _ records: [RecordedReceipt], of parts: [(emitted: EmittedModel, recipe: Recipe?)],
    _ job: BuildPlan.Job, _ trained: TrainedModel, opening memory: ModelMemory, jobs: Int
  ) throws -> [DriftReceipt] {
    let candidates = try parts.map { part in
      let path = part.emitted.path
      let model = try ModelLoader.open(
        path, files: ModelFiles(carriedBy: path, texts: part.emitted.companions))
      // The model says by which recipe it was made.
      if let recipe = part.recipe, model.recipe != recipe.label { throw Foreign() }
      return model
    }
    let references = try memory.referenceSet(of: job.key)
    let shares = try job.key.shares(
      of: references, seenBy: trained.encoders, jobs: jobs)
    let receipts = try Gate.recall(
      records, baseline: trained.encoders, candidate: candidates,
      references: shares?.verdict ?? references, searchedOn: shares,
      limits: try Limits(job.key.limits),
      threshold: job.key.threshold, source: try job.key.sourceCheck?.open(besides: job.key.columns))
    guard let receipts else { throw Foreign() }
    return receipts
  }

  private func refusal(in result: ActionResult) throws -> ModelRefusal {
    guard let output = result.outputs.first(where: { $0.path == Self.refusalPath }) else {
      throw Foreign()
    }
    let bytes = try store.bytes(of: output, limit: Self.textLimit)
    let object = try JSONParser.parseObject(bytes, origin: Self.refusalPath)
    guard let refusal = try ModelRefusal(object) else { throw Foreign() }
    return refusal
  }
}
