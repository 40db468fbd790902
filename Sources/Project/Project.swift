package import Formats
package import Graph
package import Inputs
package import PackageNames
package import Packaging
package import SelfTesting
package import Weights

/// A project file that was read without a fault. The files it names are not checked yet.
package struct Project {
  /// The project file.
  package let file: String
  /// The digest of the bytes that were read.
  package let digest: ContentDigest
  /// Its folder; paths in the project are relative to it.
  package let folder: String
  /// Models that every customer gets, in the order written.
  package let models: [SharedModel]
  /// How every custom model is made, if there are any.
  package let customModels: ProjectEntry?
  package let customers: Located<String>
  package let release: ReleaseOptions
}

/// A model that every customer gets.
package struct SharedModel {
  /// As the project has it; `FAMILY/MEMBER` of a member of a family.
  package let name: Located<String>
  /// The family that it is a member of; nil if it is none.
  package let family: String?
  package let entry: ProjectEntry
}

/// Where a model comes from, how it is compressed, and what it must pass.
package struct ProjectEntry {
  package internal(set) var source: Located<PathPattern>
  /// The one encoder that ships of a model with several; all of them when nil.
  package let encoder: Located<EncoderKind>?
  /// Text that goes before every text; the model's own default when nil.
  package let prompt: Located<PromptChoice>?
  package let compression: Located<ModelCompressionOptions>
  /// Inputs on which compression is tuned, other ones than the gate's; nil without any.
  package internal(set) var calibration: Located<PathPattern>?
  /// Whether calibration inputs that the references hold too are left out.
  package let dropsOverlap: Bool
  /// References for the verdict on what a search finds; nil if they are a share of the gate's.
  package internal(set) var verdict: Located<PathPattern>?
  /// Texts whose tokens stay when the others are dropped; nil if all stay.
  package internal(set) var keptTokens: Located<PathPattern>?
  /// Outputs that the model gave where it was trained; nil without any.
  package internal(set) var sourceCheck: SourceCheckOptions?
  /// Where the inputs of its self-test come from.
  package let selfTest: SelfTest.Source
  package internal(set) var gate: GateOptions
  package let format: FormatOptions
  /// Whether members of a family are meant to differ in what they take and give.
  var areMembersUnlike = false
}

/// The file of outputs that a model gave where it was trained.
package struct SourceCheckOptions {
  /// An .npy, one row for each input.
  package internal(set) var vectors: Located<PathPattern>
  package internal(set) var inputs: Located<PathPattern>
}

/// The format in which a model is written.
package struct FormatOptions {
  package let format: ModelFormat
  /// The options of a Core ML package; the defaults for another format.
  package let coreML: CoreMLOptions
  /// Place of the sequence lengths; nil without any.
  let sequencePlace: Place?
  /// A description of the model, in words.
  package let summary: String?
}

/// The limits that the gate applies to a model.
package struct GateOptions {
  package internal(set) var references: Located<PathPattern>
  package let limits: LimitOptions
  /// Similarity, or probability or score of the second label, at which the app decides.
  let threshold: Located<Double>?
  /// Whether a few references are meant to be enough.
  package let isFewMeant: Bool
  /// Columns of the references that are no features.
  package let columns: NamedColumns
}

/// A profile of limits and what is changed of it; sound, but not built yet.
package struct LimitOptions: Hashable, Sendable {
  package let profile: String
  package let overrides: [String: Double]
}

/// The release's name and who may load it.
package struct ReleaseOptions {
  package let version: SemanticVersion
  package let sdk: SDKRange
  package let author: String?
  package let license: String?
  /// The form of the archives, `tar.zst` or `zip`; nil if the project leaves it open.
  package let archive: Located<String>?
  /// The key that signs, relative to the project's folder; nil if nothing is signed.
  package let sign: Located<String>?
}

/// The sound parts of a project file that may have faults.
struct ProjectDraft {
  /// The project file.
  let file: String
  /// The digest of the bytes that were read.
  let digest: ContentDigest
  /// Its folder; paths in the project are relative to it.
  let folder: String
  /// Models that every customer gets, in the order written.
  let models: [SharedModelDraft]
  /// Whether the project has a group of shared models, be it faulty.
  let hasModels: Bool
  /// Whether the project says how custom models are made, be it faulty.
  let hasCustomModels: Bool
  let customModels: ProjectEntryDraft?
  let customers: Located<String>?
  let release: ReleaseOptions?
  /// The key that signs, be the release faulty otherwise.
  let sign: Located<String>?

  /// Everything that can be looked at further; the whole project when nothing was faulty.
  var soundPart: Project {
    Project(
      file: file, digest: digest, folder: folder,
      models: models.compactMap { model in
        model.entry.entry.map {
          SharedModel(name: model.name, family: model.family, entry: $0)
        }
      }, customModels: customModels?.entry,
      customers: customers ?? Located(value: "", place: Place(startOf: file)),
      release: release ?? .standIn)
  }
}

extension ReleaseOptions {
  /// Takes the place of a faulty section; nothing is ever built with it.
  fileprivate static var standIn: ReleaseOptions {
    guard let version = SemanticVersion("0.0.0"),
      let sdk = try? SDKRange(minimum: version, below: nil)
    else { preconditionFailure("0.0.0 is a version") }
    return ReleaseOptions(
      version: version, sdk: sdk, author: nil, license: nil, archive: nil, sign: nil)
  }
}

/// A shared model, or a member of a family, that may have faults.
struct SharedModelDraft {
  let name: Located<String>
  /// Nil if it is of none.
  let family: String?
  let entry: ProjectEntryDraft
}

/// The sound parts of an entry that may have faults.
struct ProjectEntryDraft {
  let source: Located<PathPattern>?
  let references: Located<PathPattern>?
  /// Columns of the references that are no features.
  let columns: NamedColumns
  /// The entry; nil when its source or its references are faulty. A part that is faulty otherwise
  /// is replaced by one that asks for least, so that all else can be looked at.
  let entry: ProjectEntry?
}
