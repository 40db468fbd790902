import Packaging

/// The sound parts of a project file that may have faults.
struct ProjectDraft {
  /// The project file.
  let file: String
  /// Its folder; paths in the project are relative to it.
  let folder: String
  /// Models that every customer gets, in the order written.
  let models: [(name: Located<String>, recipe: RecipeDraft)]
  /// Whether the project has a group of shared models, be it faulty.
  let hasModels: Bool
  /// Whether the project says how custom models are made, be it faulty.
  let hasCustomModels: Bool
  let customModels: RecipeDraft?
  let customers: Located<String>?
  let release: ReleaseTerms?
  /// The key that signs, be the release faulty otherwise.
  let sign: Located<String>?

  /// Everything that can be looked at further; the whole project when nothing was faulty.
  var soundPart: Project {
    Project(
      file: file, folder: folder,
      models: models.compactMap { name, draft in
        draft.recipe.map { SharedModel(name: name, recipe: $0) }
      }, customModels: customModels?.recipe,
      customers: customers ?? Located(value: "", place: Place(startOf: file)),
      release: release ?? .standIn)
  }
}

extension ReleaseTerms {
  /// Takes the place of a faulty section; nothing is ever built with it.
  fileprivate static var standIn: ReleaseTerms {
    guard let version = SemanticVersion("0.0.0"),
      let sdk = try? SDKRange(minimum: version, below: nil)
    else { preconditionFailure("0.0.0 is a version") }
    return ReleaseTerms(
      version: version, sdk: sdk, author: nil, license: nil, archive: nil, sign: nil)
  }
}
