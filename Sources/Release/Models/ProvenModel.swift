import Files
import Formats
import Gate
import Graph
import Packaging
import Project
import StrictJSON
import WeightCompression

/// A model that passed the gate, with all that packaging asks for.
struct ProvenModel {
  /// One encoder of it, or the whole model.
  struct Part {
    /// Nil if the model is one encoder as a whole.
    let encoder: EncoderKind?
    let emitted: EmittedModel
    let receipt: DriftReceipt
    let details: ModelDetails
    /// What devices need to know of it.
    let device: DeviceFacts
    /// What a search found; nil without one.
    var recipe: Recipe?
  }

  /// The encoders that ship, which were judged together; never empty.
  let parts: [Part]

  /// The gate's warnings, of all parts alike.
  var warnings: [String] {
    var seen: Set<String> = []
    return parts.flatMap(\.receipt.warnings).filter { seen.insert($0).inserted }
  }

  /// The source check of the first part that has one; nil if none has.
  var source: SourceRecord? { parts.compactMap(\.receipt.source).first }

  /// The check of known outputs, of all parts alike; nil if the set knows none.
  var known: KnownRecord? { parts.first?.receipt.known }
}

/// The outcome of a model.
enum ModelOutcome {
  case proven(ProvenModel)
  /// The gate ran the model and refused it.
  case refused(ModelRefusal)
  /// The model, its compression or its reference set cannot be used as the project asks.
  case unusable(ModelFault)
}

/// Why a model cannot be used as a project asks.
enum ModelFault {
  /// The model, its compression or its reference set is at fault.
  case error(any Error)
  /// Its files are others than when the build began.
  case changed
  /// No work was done on it.
  case notMade

  /// The fault as sentences; the first says what it is.
  var reasons: [String] {
    switch self {
    case .error(let error): "\(error)".split(separator: "\n").map(String.init)
    case .changed:
      ["the model, its reference set or its source check changed during the build"]
    case .notMade: ["the model was not made"]
    }
  }
}

extension ModelOutcome {
  /// The outcome in a word.
  var word: BuildReport.Model.Verdict {
    switch self {
    case .proven: .passed
    case .refused: .refused
    case .unusable: .unusable
    }
  }

  /// The receipts of the gate; empty if it did not pass.
  var receipts: [DriftReceipt] {
    if case .proven(let model) = self { model.parts.map(\.receipt) } else { [] }
  }

  /// Its source check; nil if there was none, or it did not pass.
  var source: SourceRecord? { if case .proven(let model) = self { model.source } else { nil } }

  /// The check of its known outputs; nil if the set knows none, or it did not pass.
  var known: KnownRecord? { if case .proven(let model) = self { model.known } else { nil } }
}

extension ModelOutcome {
  /// The verdicts of looser profiles on a model that was refused.
  var outlooks: [ProfileOutlook] {
    if case .refused(let refusal) = self { refusal.outlooks } else { [] }
  }

  /// Why it was refused, as values.
  var findings: [JSONValue] {
    if case .refused(let refusal) = self { refusal.findings } else { [] }
  }
}

extension ModelOutcome {
  /// What makes a refused model drift, and what would mend it; null where none was looked for.
  var explanation: JSONValue {
    if case .refused(let refusal) = self { refusal.explanation } else { .null }
  }
}

/// Paths of one model's files while a build works: one for each encoder.
struct ScratchPaths {
  /// Path of all that they begin with.
  let start: String
  let format: ModelFormat
  /// Where a model that is made is kept until packages and the store have it.
  var storage = StagedFile.Storage.disk

  func place(of encoder: EncoderKind?) -> ModelPlace { ModelPlace(path(of: encoder), in: storage) }

  func path(of encoder: EncoderKind?) -> String {
    start + (encoder.map { "-\($0.rawValue)" } ?? "") + "." + format.name
  }
}

/// A model as trained: every encoder that it has, and those that are to ship.
///
/// The whole model is judged, always: an encoder that does not ship is the one as trained.
struct TrainedModel {
  /// Image before text; one for a model that is one encoder as a whole.
  let encoders: [Model]
  /// Those that ship, in the same order.
  let shipping: [Model]

  /// The model of a job, opened unless it was the last one.
  ///
  /// - Throws: `ModelError.noEncoder`, and errors from opening.
  init(of key: BuildPlan.Key, opening memory: ModelMemory) throws {
    let all = try memory.models(of: key)
    encoders = all
    shipping =
      try key.encoder.map { [try ModelLoader.choose($0, among: all, of: key.source)] } ?? all
  }
}

extension ModelDetails {
  /// The details of a model as trained and as a job compresses it.
  ///
  /// - Parameters:
  ///   - form: with what the model's card says.
  ///   - found: what a search found; nil without one, or where that is not known.
  init(
    _ model: Model, of key: BuildPlan.Key, as form: OutputForm, found: Recipe? = nil
  ) throws {
    let found = try found.map { try CompressionOptions(recipe: $0, floats: form.value.floats) }
    let encoder = model.architecture.encoder
    let interface = try ModelInterface(
      of: model.architecture, in: try form.value.carrier(of: model))
    self.init(
      inputs: interface.inputs, outputs: interface.outputs, prompt: interface.prompt,
      method: (found ?? key.compression.options(of: encoder))?.label ?? key.compression.label,
      options: key.modelOptions(of: encoder, as: form, found: found),
      originalBytes: try model.plainByteCount() ?? .max)
  }
}
