package import Calibration
package import Formats
package import Gate
package import Graph
import Files
import Inputs
package import WeightCompression
package import Weights

/// Makes proven models: **plan, compress, stage, judge, commit.**
///
/// - *Plan*: every weight gets its scheme and its size. Weights that cannot take the requested
///   scheme are an error that lists them all, and nothing is written then.
/// - *Compress*: weights become integers or palettes. Where there are inputs to fit them to, that
///   happens now; else each is made at the moment it is written, so that memory holds a few at most.
/// - *Stage*: each model is written in its format under a hidden name, opened there, and compared
///   with the written values.
/// - *Judge*: the gate runs what reads back, beside the models as trained.
/// - *Commit*: models that passed get their names, each with the receipt that names its bytes.
///   Anything that ends this before, a kill included, leaves none of them.
///
/// `compress` and `build` say the whole sentence (`run`). `check` and `verify --replay` have models
/// that were made before, and say its fourth word (`judge`).
package struct Prover {
  /// One encoder of a model, or all of it, with its options and its path.
  package struct Part {
    package let model: Model
    let options: CompressionOptions
    package let calibration: CalibrationSet?
    package let format: any Format
    let place: ModelPlace
    let memory: CalibrationMemory

    /// - Parameters:
    ///   - model: as trained.
    ///   - options: the requested compression of its weights.
    ///   - calibration: the inputs that weights are fitted to; nil if they are not.
    ///   - format: the format to write, with all choices about it.
    ///   - place: where it appears.
    ///   - memory: kept by who calibrates one model on one set many times.
    package init(
      _ model: Model, options: CompressionOptions, calibration: CalibrationSet?,
      as format: any Format, at place: ModelPlace, memory: CalibrationMemory = CalibrationMemory()
    ) {
      self.model = model
      self.options = options
      self.calibration = calibration
      self.format = format
      self.place = place
      self.memory = memory
    }
  }

  /// A part whose compression is planned, and done as far as it is done beforehand.
  package struct Compressed {
    let part: Part
    let weights: any CompressedTensors

    /// How each weight is stored.
    package var planned: [PlannedTensor] { weights.planned }

    /// The same with the thresholds of trees that a rule asks for, or references allow: see `ChosenThresholds`.
    /// What the gate judges is this.
    ///
    /// - Parameter references: nil where there are none.
    func choosingThresholds(on references: ReferenceSet?) throws -> Compressed {
      guard part.model.architecture is ForestModel else { return self }
      let input = part.model.architecture.input
      let rows = try references.map { references in
        try references.arranged(for: input).inputs.map { input -> [Double] in
          if case .values(let row) = input { row } else { [] }
        }
      }
      guard let chosen = try ChosenThresholds(weights, of: part.model, rows: rows) else {
        return self
      }
      return Compressed(part: part, weights: chosen)
    }

    /// Writes it under a hidden name.
    ///
    /// - Parameter path: where it appears, instead of where it was to go.
    package func stage(beside path: String? = nil) throws -> StagedModel {
      try part.format.stage(
        weights, of: part.model, recipe: part.options.label,
        at: path.map { ModelPlace($0) } ?? part.place)
    }
  }

  /// The work that was done last: on a tensor, by its name, the how manieth of how many; or of the gate.
  package enum Step: Sendable {
    case takingGradients(Int, of: Int)
    case calibrating(TensorName, Int, of: Int)
    case compressing(TensorName, Int, of: Int)
    case judging(GateStep)
  }

  /// The gate's verdict on staged models.
  package enum Outcome {
    /// They have their names.
    case proven([EmittedModel], Verdict)
    /// Nothing is left of them but what could be staged again.
    case refused(Verdict, [Compressed])
  }

  private let jobs: Int
  private let isDurable: Bool
  private let progress: @Sendable (Step) -> Void

  /// - Parameters:
  ///   - isDurable: whether a model that is a file must have reached the disk when it has its name.
  ///   - progress: told each step when it is done, from any thread.
  package init(
    jobs: Int, isDurable: Bool = true, progress: @escaping @Sendable (Step) -> Void = { _ in }
  ) {
    self.jobs = jobs
    self.isDurable = isDurable
    self.progress = progress
  }

  /// Makes the parts of one model, and has them judged together.
  ///
  /// - Parameters:
  ///   - trained: every encoder of the model, as trained.
  ///   - around: gets what reads back, and the call that judges it, and gives its verdict: to look,
  ///     to explain errors of judging, or to say warnings before anything has its name.
  ///   - named: called when all have their names, as of `StagedModels.commit`.
  /// - Throws: errors of a model, its weights, or the disk, and as `Gate.judge`. A refusal is an
  ///   outcome.
  package func run(
    _ parts: [Part], against trained: [Model], by gate: Gate,
    around: ([Model], () throws -> Verdict) throws -> Verdict = { try $1() },
    then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> Outcome {
    try prove(
      try parts.map { try compress($0).choosingThresholds(on: gate.references) },
      against: trained, by: gate, around: around, then: named)
  }

  /// The same of parts whose weights are compressed.
  package func prove(
    _ compressed: [Compressed], against trained: [Model], by gate: Gate,
    around: ([Model], () throws -> Verdict) throws -> Verdict = { try $1() },
    then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> Outcome {
    let staged = try stage(compressed)
    let verdict = try judge(staged, against: trained, by: gate, around: around)
    guard verdict.isPassed else { return .refused(verdict, compressed) }
    return .proven(try staged.commit(verdict.receipts, then: named), verdict)
  }

  /// Has parts judged together, and deletes them.
  ///
  /// - Parameter around: as of `run`.
  /// - Throws: as `run`.
  package func trial(
    _ compressed: [Compressed], against trained: [Model], by gate: Gate,
    around: ([Model], () throws -> Verdict) throws -> Verdict = { try $1() }
  ) throws -> Verdict {
    try judge(try stage(compressed), against: trained, by: gate, around: around)
  }

  /// Bytes of all files of one part as it is written, of which nothing is left then.
  package func byteCount(of compressed: Compressed) throws -> Int {
    let staged = try compressed.stage()
    return try staged.contents().files.reduce(0) { $0 + $1.byteCount }
  }

  /// Makes the parts of one model that nothing proves: there are no references.
  ///
  /// - Parameters:
  ///   - look: sees what reads back, before it has its name.
  ///   - named: called when all have their names, as of `StagedModels.commit`.
  package func runUnproven(
    _ parts: [Part], looking look: ([Model]) throws -> Void,
    then named: ([EmittedModel]) throws -> Void = { _ in }
  ) throws -> [EmittedModel] {
    let staged = try stage(
      try parts.map { try compress($0).choosingThresholds(on: nil) })
    try look(staged.models)
    return try staged.commitUnproven(then: named)
  }

  /// Plans the compression of a part's weights, and compresses those that are fitted to inputs.
  package func compress(_ part: Part) throws -> Compressed {
    let progress = progress
    let weights = try part.model.usedWeights()
    let done = Counter()
    guard let calibration = part.calibration else {
      let stream = try WeightCompressor.stream(
        weights: weights, from: part.model.weights, options: part.options, jobs: jobs
      ) { progress(.compressing($0, done.next(of: weights.count), of: weights.count)) }
      return Compressed(part: part, weights: stream)
    }
    let fitted = try CalibratedCompressor.compress(
      model: part.model, options: part.options, calibration: calibration, jobs: jobs,
      memory: part.memory
    ) { step in
      switch step {
      case .tookGradients(let place, let count): progress(.takingGradients(place, of: count))
      case .compressed(let name, let count):
        progress(.compressing(name, done.next(of: count), of: count))
      case .fitted(let name, let place, let count):
        progress(.calibrating(name, place, of: count))
      }
    }
    return Compressed(part: part, weights: fitted)
  }

  /// Judges what reads back: models that were staged, or made before.
  ///
  /// - Throws: as `Gate.judge`.
  package func judge(
    _ candidates: GateSide, against trained: GateSide, by gate: Gate
  ) throws -> Verdict {
    let progress = progress
    return try gate.judge(candidates, against: trained) { progress(.judging($0)) }
  }

  private func judge(
    _ staged: borrowing StagedModels, against trained: [Model], by gate: Gate,
    around: ([Model], () throws -> Verdict) throws -> Verdict
  ) throws -> Verdict {
    let models = staged.models
    return try around(models) {
      try judge(.models(models), against: .models(trained), by: gate)
    }
  }

  /// Writes each part under a hidden name.
  package func stage(_ compressed: [Compressed]) throws -> StagedModels {
    var staged = StagedModels(isDurable: isDurable)
    for part in compressed { staged.append(try part.stage()) }
    return staged
  }
}

/// Counts what is done.
private final class Counter: Sendable {
  private let done = Mutex(0)

  /// How many are done with one more; a stream that is written once more begins anew.
  func next(of total: Int) -> Int {
    done.withLock { done in
      done = done % max(1, total) + 1
      return done
    }
  }
}

/// The one receipt there is: only the gate makes it.
extension DriftReceipt: ModelReceipt {}
