import Packaging

/// The sound parts of a project file that may have faults.
struct ProjectDraft {
  /// The project file.
  let file: String
  /// Its folder; paths in the project are relative to it.
  let folder: String
  /// Models that every customer gets, in the order written.
  let models: [(name: Located<String>, entry: ProjectEntryDraft)]
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
      file: file, folder: folder,
      models: models.compactMap { name, draft in
        draft.entry.map { SharedModel(name: name, entry: $0) }
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

/// The sound parts of an entry that may have faults.
struct ProjectEntryDraft {
  let source: Located<PathPattern>?
  let references: Located<PathPattern>?
  /// The entry; nil when its source or its references are faulty. A part that is faulty otherwise
  /// is replaced by one that asks for least, so that all else can be looked at.
  let entry: ProjectEntry?
}
