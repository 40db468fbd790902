import Emission
import Evaluation
import Files
import Graph
import Packaging
import Store
import StrictJSON
import Weights

/// Keeps what became of models in a store, and brings it back.
///
/// A result is the model's files under `model`, what lies beside it under `companions`, and
/// `receipt.json`; of a model that the gate refused, `refusal.json` alone.
struct ModelStore {
  /// Exit code of a model that the gate refused.
  private static let refusedCode = 3
  private static let (modelPath, companions) = ("model", "companions/")
  private static let (receiptPath, refusalPath) = ("receipt.json", "refusal.json")
  /// Largest receipt or refusal that is read, in bytes.
  private static let textLimit = 1 << 20

  /// What is kept under a key does not prove the model that was asked for.
  struct Foreign: Error, CustomStringConvertible {
    let description = "it does not prove this model"
  }

  let store: ContentStore

  /// Keeps an outcome, unless the model could not be used.
  func save(_ outcome: ModelOutcome, for key: ActionKey) throws {
    switch outcome {
    case .proven(let model):
      try store.record(ActionResult(outputs: try save(model), exitCode: 0), for: key)
    case .refused(let reasons): try save(reasons, code: Self.refusedCode, for: key)
    // What cannot be used now may be mended, or have been the machine's trouble.
    case .unusable: break
    }
  }

  private func save(_ reasons: [String], code: Int, for key: ActionKey) throws {
    let text: JSONValue = ["reasons": .array(reasons.map(JSONValue.string))]
    let refusal = try save(Array(text.compact.utf8), as: Self.refusalPath)
    try store.record(ActionResult(outputs: [refusal], exitCode: code), for: key)
  }

  private func save(_ model: ProvenModel) throws -> [ActionResult.Output] {
    var outputs: [ActionResult.Output] = []
    for file in model.emitted.files {
      let kept = try store.insert(file: Folder.join(model.emitted.path, file.path))
      guard kept.digest == file.digest else {
        throw EmissionError.changedMeanwhile(path: model.emitted.path)
      }
      outputs.append(
        ActionResult.Output(
          path: Folder.join(Self.modelPath, file.path), digest: kept.digest,
          byteCount: kept.byteCount))
    }
    for (name, bytes) in model.emitted.companions {
      outputs.append(try save(bytes, as: Self.companions + name))
    }
    outputs.append(try save(model.receipt.packedBytes, as: Self.receiptPath))
    return outputs
  }

  private func save(_ bytes: [UInt8], as path: String) throws -> ActionResult.Output {
    let kept = try store.insert(bytes)
    return ActionResult.Output(path: path, digest: kept.digest, byteCount: kept.byteCount)
  }

  /// Brings an outcome back, every digest taken anew.
  ///
  /// - Parameters:
  ///   - path: where the model appears for packaging; nothing is copied there.
  /// - Returns: nil when nothing is kept.
  /// - Throws: `Foreign` when what is kept is not of this very job, and whatever reading it throws.
  func outcome(
    for key: ActionKey, of job: BuildPlan.Job, _ baseline: Model, at path: String
  ) throws -> ModelOutcome? {
    guard let result = store.result(for: key) else { return nil }
    switch result.exitCode {
    case Self.refusedCode: return .refused(reasons: try reasons(in: result))
    default: break
    }
    guard result.exitCode == 0, let record = try receipt(in: result),
      let emitted = try emitted(of: result, as: job.key.form, at: path)
    else { throw Foreign() }
    let candidate = try ModelLoader.open(
      emitted.path, files: ModelFiles(carriedBy: emitted.path, texts: emitted.companions))
    let receipt = try Gate.recall(
      record, baseline: baseline, candidate: candidate,
      references: try ReferenceSet(path: job.key.references), limits: try Limits(job.key.limits),
      threshold: job.key.threshold)
    guard let receipt else { throw Foreign() }
    return .proven(
      ProvenModel(
        emitted: emitted, receipt: receipt, terms: try ModelTerms(baseline, of: job.key)))
  }

  private func reasons(in result: ActionResult) throws -> [String] {
    guard let output = result.outputs.first(where: { $0.path == Self.refusalPath }) else {
      throw Foreign()
    }
    let bytes = try store.bytes(of: output, limit: Self.textLimit)
    let object = try JSONParser.parseObject(bytes, origin: Self.refusalPath)
    let reasons = try object.array("reasons").compactMap(\.string)
    guard !reasons.isEmpty else { throw Foreign() }
    return reasons
  }

  private func receipt(in result: ActionResult) throws -> RecordedReceipt? {
    guard let output = result.outputs.first(where: { $0.path == Self.receiptPath }) else {
      return nil
    }
    return try RecordedReceipt(
      try store.bytes(of: output, limit: Self.textLimit), origin: Self.receiptPath)
  }

  /// Puts a model's files where packaging finds them, as links into the store.
  private func emitted(
    of result: ActionResult, as form: OutputForm, at path: String
  ) throws -> EmittedModel? {
    var files: [EmittedModel.File] = []
    var companions: [String: [UInt8]] = [:]
    for output in result.outputs {
      if output.path.hasPrefix(Self.companions) {
        let name = String(output.path.dropFirst(Self.companions.count))
        companions[name] = try store.bytes(of: output, limit: ModelFiles.sizeLimit)
      } else if output.path == Self.modelPath || output.path.hasPrefix(Self.modelPath + "/") {
        let inner = String(output.path.dropFirst(Self.modelPath.count + 1))
        let place = Folder.join(path, inner)
        try Folder.create(Folder.parent(of: place))
        try Folder.link(place, to: store.path(of: output.digest))
        files.append(
          EmittedModel.File(path: inner, byteCount: output.byteCount, digest: output.digest))
      }
    }
    let known = form.format.isFolder ? [CoreMLPackage.tokenizerFile] : []
    guard companions.keys.allSatisfy(known.contains),
      let digest = try digest(of: files, as: form, result)
    else { return nil }
    return EmittedModel(
      path: path, format: form.format.rawValue, digest: digest, files: files,
      companions: companions)
  }

  /// What a receipt names a model by; nil when its files are not those of the form.
  private func digest(
    of files: [EmittedModel.File], as form: OutputForm, _ result: ActionResult
  ) throws -> ContentDigest? {
    guard form.format.isFolder else { return files.count == 1 ? files[0].digest : nil }
    let named = Folder.join(Self.modelPath, CoreMLDigest.modelPath)
    guard let model = result.outputs.first(where: { $0.path == named }) else { return nil }
    return try CoreMLDigest.digest(
      of: files.map { ($0.path, $0.digest) },
      model: try store.bytes(of: model, limit: CoreMLDigest.modelLimit))
  }
}
