/// Every kind of fault a project can have; the raw value is its name for tools, which never changes.
///
/// The table of `specs/formats/project.md` lists the same.
package enum Rule: String, CaseIterable, Sendable {
  // Texts.
  case unreadableFile = "unreadable-file"
  case malformedFile = "malformed-file"
  case unknownKey = "unknown-key"
  case doubtfulKey = "doubtful-key"
  case missingKey = "missing-key"
  case wrongType = "wrong-type"
  case badValue = "bad-value"
  case badPath = "bad-path"
  case pathOutside = "path-outside"
  // The project file.
  case unknownContract = "unknown-contract"
  case noModels = "no-models"
  case badModelName = "bad-model-name"
  case badCompression = "bad-compression"
  case missingRecipe = "missing-recipe"
  case badRecipe = "bad-recipe"
  case badFormat = "bad-format"
  case badLimit = "bad-limit"
  case weakerLimit = "weaker-limit"
  // The customer list.
  case missingCustomerList = "missing-customer-list"
  case noCustomers = "no-customers"
  case badAppID = "bad-app-id"
  case duplicateApp = "duplicate-app"
  case badBundleIdentifier = "bad-bundle-identifier"
  case duplicateBundleIdentifier = "duplicate-bundle-identifier"
  case sharedBundleIdentifier = "shared-bundle-identifier"
  case badFlow = "bad-flow"
  case duplicateFlow = "duplicate-flow"
  // Both together.
  case flowWithoutEntry = "flow-without-recipe"
  case flowNamedLikeModel = "flow-named-like-model"
  // Files that they name.
  case missingSource = "missing-source"
  case unreadableSource = "unreadable-source"
  case unfitSource = "unfit-source"
  case noRoom = "too-many-models"
  case unlikeMembers = "unlike-members"
  case unlikeRules = "unlike-rules"
  case missingReferences = "missing-references"
  case unreadableReferences = "unreadable-references"
  case emptyReferenceSet = "reference-set-empty"
  case smallReferenceSet = "reference-set-too-small"
  case unfitReferences = "unfit-references"
  case unfitCalibration = "unfit-calibration"
  case unfitCorpus = "unfit-corpus"
  case unfitSourceCheck = "unfit-source-check"
  case unusableKey = "unusable-signing-key"
  case openKey = "open-signing-key"
  case versionExists = "version-exists"
  case damagedIndex = "damaged-index"
  case versionGoesDown = "version-goes-down"
  // Too many to list.
  case moreFaults = "more-faults"
  case moreWarnings = "more-warnings"

  /// Whether a project with such a fault can be built.
  package var severity: Severity {
    switch self {
    case .doubtfulKey, .sharedBundleIdentifier, .versionGoesDown, .unlikeRules, .moreWarnings:
      .warning
    default: .error
    }
  }

  /// The rule in one sentence.
  package var summary: String {
    switch self {
    case .unreadableFile: "A file of the contract is there, is text, and is not too large."
    case .malformedFile: "The project file and recipes are YAML, the customer list is JSON."
    case .unknownKey: "Every key of the project file and of recipes has a meaning."
    case .doubtfulKey: "No key of the customer list looks like a misspelt one."
    case .missingKey: "Every key that is needed is there, with a value."
    case .wrongType: "Every value is of the kind that its key takes."
    case .badValue: "Every value is one that its key takes."
    case .badPath: "Paths hold no control characters and only placeholders that are known."
    case .pathOutside:
      "Every path but that of the signing key leads into the project's folder, or into the root that was named."
    case .unknownContract: "The contract is of a version that this program reads."
    case .noModels: "The project has models, and every customer gets one."
    case .badModelName: "A model's name can be part of a path, and is one of its kind."
    case .badCompression: "A scheme and what is chosen about it go together."
    case .missingRecipe: "Every recipe is a built-in one, or a file that is there."
    case .badRecipe: "Every rule of a recipe, and every fallback, can have an effect."
    case .badFormat: "A model has one format, and options of that format only."
    case .badLimit: "Limits are of a known profile and within their range."
    case .weakerLimit: "A limit weaker than its profile's says so with 'weakened: true'."
    case .missingCustomerList: "The customer list is there."
    case .noCustomers: "The customer list has customers."
    case .badAppID: "An app_id is a UUID in lower case."
    case .duplicateApp: "An app_id appears once in the customer list."
    case .badBundleIdentifier: "A bundle identifier has parts of letters, digits and hyphens."
    case .duplicateBundleIdentifier: "A bundle identifier appears once in its app."
    case .sharedBundleIdentifier: "A bundle identifier belongs to one app."
    case .badFlow: "A flow has an id, a name of a-z 0-9 _, and a model version from 1 on."
    case .duplicateFlow: "A flow's name and id stand once in its app."
    case .flowWithoutEntry: "Custom models need 'customModels' in the project file."
    case .flowNamedLikeModel: "No flow is called like a shared model."
    case .missingSource: "Every model is where the project says."
    case .unreadableSource: "Every model can be opened, with the weights its graph uses."
    case .unfitSource: "Every model can be compressed and written as the project asks."
    case .noRoom: "No package has more models than its manifest can list."
    case .unlikeMembers:
      "Members of a family have the same features, labels and outputs, unless 'membersDiffer: true' says otherwise."
    case .unlikeRules:
      "Members of a family refuse the same values: missing ones, and unknown categories."
    case .missingReferences: "Every reference set is where the project says."
    case .unreadableReferences: "Every reference set can be read."
    case .emptyReferenceSet: "Every reference set holds something to judge a model on."
    case .smallReferenceSet:
      "A reference set has 8 distinct lines, unless 'fewReferences: true' says that few are meant."
    case .unfitCalibration:
      "Every calibration set is there and shares no input with the reference set."
    case .unfitCorpus: "Every corpus of tokens is there, holds texts, and is for a model of texts."
    case .unfitSourceCheck:
      "Outputs made elsewhere are there, are numbers, and suit their inputs and the model."
    case .unfitReferences: "Every reference set suits the models that are judged on it."
    case .unusableKey: "The signing key is there and can be used."
    case .openKey: "Nobody but its owner can read the signing key."
    case .versionExists: "No customer has this version already, of another make."
    case .damagedIndex: "The index of what was built is whole."
    case .versionGoesDown: "No customer has a later version already."
    case .moreFaults: "There are more faults than are listed."
    case .moreWarnings: "There are more warnings than are listed."
    }
  }
}

/// How bad a fault is.
package enum Severity: String, Sendable {
  /// The project cannot be built.
  case error
  /// The project can be built, and something about it is doubtful.
  case warning
}
