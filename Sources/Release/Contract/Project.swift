import Emission
import Graph
import Packaging

/// A project file that was read without a fault. What it points to is not checked yet.
struct Project {
  /// The project file.
  let file: String
  /// Its folder; paths in the project are relative to it.
  let folder: String
  /// Models that every customer gets, in the order written.
  let models: [SharedModel]
  /// How every custom model is made, if there are any.
  let customModels: ModelRecipe?
  let customers: Located<String>
  let release: ReleaseTerms
}

/// A model that every customer gets.
struct SharedModel {
  let name: Located<String>
  let recipe: ModelRecipe
}

/// Where a model comes from, how it is compressed, and what it must pass.
struct ModelRecipe {
  let source: Located<PathPattern>
  /// The one encoder that ships of a model with several; all of them when nil.
  let encoder: Located<EncoderKind>?
  /// What goes before every text; the model's own default when nil.
  let prompt: Located<PromptChoice>?
  let compression: Located<CompressionTerms>
  /// Inputs on which compression is tuned, other ones than the gate's; nil where there are none.
  let calibration: Located<PathPattern>?
  /// Whether calibration inputs that the references hold too are left out.
  let dropsOverlap: Bool
  /// Outputs that the model gave where it was trained; nil where there are none.
  let sourceCheck: SourceCheckTerms?
  let gate: GateTerms
  let format: FormatTerms
}

/// Where outputs lie that a model gave where it was trained.
struct SourceCheckTerms {
  /// An .npy, one row for each input.
  let vectors: Located<PathPattern>
  let inputs: Located<PathPattern>
}

/// What a model is written as.
struct FormatTerms {
  let format: ModelFormat
  /// What is chosen about a Core ML package; as it comes where the format is another.
  let coreML: CoreMLOptions
  /// Where the sequence lengths stand; nil when none do.
  let sequencePlace: Place?
  /// What the model is, in words.
  let summary: String?
}

/// What the gate holds a model to.
struct GateTerms {
  let references: Located<PathPattern>
  let limits: LimitTerms
  /// Similarity, or probability or score of the second label, at which the app decides.
  let threshold: Located<Double>?
  /// Whether a few references are meant to be enough.
  let isFewMeant: Bool
}

/// A profile of limits and what is changed of it; sound, but not built yet.
struct LimitTerms: Hashable {
  let profile: String
  let overrides: [String: Double]
}

/// What the release is called and who may load it.
struct ReleaseTerms {
  let version: SemanticVersion
  let sdk: SDKRange
  let author: String?
  let license: String?
  /// The form of the archives, `tar.zst` or `zip`; nil where the project leaves it open.
  let archive: Located<String>?
  /// The key that signs, relative to the project's folder; nil where nothing is signed.
  let sign: Located<String>?
}
