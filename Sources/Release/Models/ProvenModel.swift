import Formats
import Gate
import Graph
import Packaging
import StrictJSON

/// A model that passed the gate, with all that packaging asks for.
struct ProvenModel {
  /// One encoder of it, or the whole model.
  struct Part {
    /// Nil where the model is one encoder as a whole.
    let encoder: EncoderKind?
    let emitted: EmittedModel
    let receipt: DriftReceipt
    let terms: ModelTerms
  }

  /// The encoders that ship, which were judged together; never empty.
  let parts: [Part]

  /// What the gate found doubtful, of all parts alike.
  var warnings: [String] {
    var seen: Set<String> = []
    return parts.flatMap(\.receipt.warnings).filter { seen.insert($0).inserted }
  }

  /// What its own library made of it, of the first part that was compared; nil where none was.
  var source: SourceRecord? { parts.compactMap(\.receipt.source).first }

  /// What the reference set knows to be right, of all parts alike; nil where it knows nothing.
  var known: KnownRecord? { parts.first?.receipt.known }
}

/// What became of a model.
enum ModelOutcome {
  case proven(ProvenModel)
  /// The gate ran the model and refused it.
  case refused(ModelRefusal)
  /// The model, its compression or its reference set cannot be used as the project asks.
  case unusable(reasons: [String])
}

extension ModelOutcome {
  /// What its own library made of it; nil where nobody checked, or it did not pass.
  var source: SourceRecord? { if case .proven(let model) = self { model.source } else { nil } }

  /// What the reference set knows to be right; nil where it knows nothing, or it did not pass.
  var known: KnownRecord? { if case .proven(let model) = self { model.known } else { nil } }
}

extension ModelOutcome {
  /// What looser profiles would say of a model that was refused.
  var outlooks: [ProfileOutlook] {
    if case .refused(let refusal) = self { refusal.outlooks } else { [] }
  }

  /// Why it was refused, as values.
  var findings: [JSONValue] {
    if case .refused(let refusal) = self { refusal.findings } else { [] }
  }
}

/// Where the files of one model lie while a build works: a path for each encoder.
struct WorkingPaths {
  /// Path of all that they begin with.
  let start: String
  let format: ModelFormat

  func path(of encoder: EncoderKind?) -> String {
    start + (encoder.map { "-\($0.rawValue)" } ?? "") + "." + format.name
  }
}
