import Calibration
import Files
import Formats
import Gate
import Graph
import Inputs
import Packaging
import Project
import WeightCompression
import Weights

/// Compresses the encoders of one model, writes them, reads them back, and lets the gate judge what
/// was read, all of them together.
struct ModelJob {
  /// One encoder with its compressed weights.
  private struct Part {
    let model: Model
    let weights: any CompressedTensors
  }

  let job: BuildPlan.Job
  let trained: TrainedModel
  /// Where the compressed model is written.
  let paths: WorkingPaths
  let jobs: Int

  /// Runs the job.
  ///
  /// - Parameter warn: told what is doubtful.
  /// - Throws: only what is wrong with the machine, such as a full disk; what is wrong with the
  ///   model is an outcome.
  func run(warn: (String) -> Void) throws -> ModelOutcome {
    do {
      return try compressAndProve(warn: warn)
    } catch EmissionError.readBackDiffers(let path, let tensor) {
      throw EmissionError.readBackDiffers(path: path, tensor: tensor)
    } catch {
      if let fault = MachineFault.fault(in: error) { throw fault }
      return .unusable(reasons: "\(error)".split(separator: "\n").map(String.init))
    }
  }

  private func compressAndProve(warn: (String) -> Void) throws -> ModelOutcome {
    let finding = try job.key.sourceCheck?.open().run(trained.encoders, jobs: jobs)
    if let finding, !finding.isAgreed { return .refused(ModelRefusal(reasons: finding.reasons)) }
    let references = try job.key.referenceSet()
    try Gate.checkKnownOutputs(of: trained.encoders, on: references, jobs: jobs)
    let parts = try trained.shipping.map { model in
      Part(model: model, weights: try compressed(model, references, warn: warn))
    }
    let (emitted, judgement) = try write(parts[...]) { candidates in
      try judge(candidates, on: references, finding?.agreements ?? [])
    }
    judgement.warnings.forEach(warn)
    judgement.thresholdAdvice?.projectWords.forEach(warn)
    guard judgement.isPassed else { return .refused(ModelRefusal(judgement)) }
    let proven = try zip(zip(parts, emitted), judgement.receipts).map { part, receipt in
      ProvenModel.Part(
        encoder: part.0.model.architecture.encoder, emitted: part.1, receipt: receipt,
        terms: try ModelTerms(part.0.model, of: job.key))
    }
    return .proven(ProvenModel(parts: proven))
  }

  /// The weights of an encoder, fitted to inputs where there are some to fit them to.
  private func compressed(
    _ model: Model, _ references: ReferenceSet, warn: (String) -> Void
  ) throws -> any CompressedTensors {
    let options = job.key.compression.options(of: model.architecture.encoder)
    guard let path = job.key.calibration else {
      return try WeightCompressor.stream(
        weights: try model.usedWeights(), from: model.weights, options: options, jobs: jobs)
    }
    let (calibration, dropped) = try CalibrationSet(path: path).besides(
      references, job.key.overlap, for: model, runs: true, jobs: jobs)
    if !dropped.isEmpty { warn(CalibrationSet.droppedWords(dropped, of: path)) }
    return try CalibratedCompressor.compress(
      model: model, options: options, calibration: calibration, jobs: jobs)
  }

  /// Writes encoders in their format and lets the gate judge what reads back.
  ///
  /// Each is written inside the other's proof, so that what ships is judged, all of it together, and
  /// each package can name its own receipt.
  ///
  /// - Parameter candidates: those that were written before.
  private func write(
    _ parts: ArraySlice<Part>, behind candidates: [Model] = [],
    judging judge: ([Model]) throws -> Judgement
  ) throws -> (emitted: [EmittedModel], judgement: Judgement) {
    guard let part = parts.first else { return ([], try judge(candidates)) }
    var rest: (emitted: [EmittedModel], judgement: Judgement)?
    let emitted = try write(part) { candidate in
      let found = try write(
        parts.dropFirst(), behind: candidates + [candidate], judging: judge)
      rest = found
      // One for each candidate, in their order.
      let receipts = found.judgement.receipts
      return receipts.isEmpty ? nil : ContentDigest(of: receipts[candidates.count].packedBytes)
    }
    guard let rest else { preconditionFailure("an encoder was written without proof") }
    return ([emitted] + rest.emitted, rest.judgement)
  }

  /// - Parameter prove: gets what reads back, and gives the digest of its receipt.
  private func write(
    _ part: Part, proving prove: (Model) throws -> ContentDigest?
  ) throws -> EmittedModel {
    let encoder = part.model.architecture.encoder
    let path = paths.path(of: encoder)
    let recipe = job.key.compression.options(of: encoder).label
    switch try job.key.form.suiting(part.model) {
    case .safetensors:
      return try CompressedSafetensors.write(
        part.weights, of: part.model, recipe: recipe, to: path
      ) { _ = try prove($0) }
    case .mlpackage(let options, let description):
      return try CoreMLPackage.write(
        part.weights, of: part.model, recipe: recipe, options: options, description: description,
        to: path, proving: prove)
    }
  }

  private func judge(
    _ candidates: [Model], on references: ReferenceSet, _ agreements: [SourceAgreement]
  ) throws -> Judgement {
    let key = job.key
    return try Gate.judge(
      baseline: .models(trained.encoders), candidate: .models(candidates),
      references: references, limits: try Limits(key.limits), threshold: key.threshold,
      agreements: agreements, jobs: jobs)
  }
}

extension ThresholdAdvice {
  /// What to do about it, in a project.
  fileprivate var projectWords: [String] {
    switch self {
    case .missing: ["add 'threshold: 0.5' under 'gate': the similarity at which the app decides"]
    case .misses: details
    }
  }
}
