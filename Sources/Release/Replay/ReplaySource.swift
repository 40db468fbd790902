import Calibration
import Files
import Graph
import Inputs
import Packaging
import Project

/// Where a project keeps what one packaged model was made from.
struct ReplaySource: Equatable {
  /// The model as trained.
  let model: String
  /// The reference set.
  let references: String
  /// Whether a few references are meant to be enough.
  let isFewMeant: Bool
  /// Columns of the references that are no features.
  let columns: NamedColumns
  /// Text that goes before every text; the model's own default when nil.
  let prompt: PromptChoice?
  /// Outputs that the model gave where it was trained; nil without any.
  let sourceCheck: SourceCheckPaths?
  /// Inputs that weights are fitted to; nil without any.
  let calibration: String?
  /// How inputs that the references hold too are treated.
  let overlap: CalibrationSet.Overlap
  /// References for the verdict on what a search finds; nil if they are a share of the others.
  let verdict: String?
  /// The texts whose tokens stay; nil if all stay.
  let keptTokens: String?

  /// - Parameters:
  ///   - model: the model as trained.
  ///   - references: the reference set.
  ///   - isFewMeant: whether a few of them are meant to be enough.
  ///   - columns: of the references, those that are no features.
  ///   - prompt: goes before every text, instead of the model's default.
  ///   - sourceCheck: outputs that the model gave where it was trained, if there are any.
  ///   - calibration: inputs that weights are fitted to, if they are.
  ///   - overlap: how those that the references hold too are treated.
  ///   - verdict: references for the verdict on what a search finds, if they are a set of their own.
  ///   - keptTokens: texts whose tokens stay, if others are dropped.
  init(
    model: String, references: String, isFewMeant: Bool = false, columns: NamedColumns = .none,
    prompt: PromptChoice? = nil,
    sourceCheck: SourceCheckPaths? = nil, calibration: String? = nil,
    overlap: CalibrationSet.Overlap = .refused, verdict: String? = nil,
    keptTokens: String? = nil
  ) {
    self.model = model
    self.references = references
    self.isFewMeant = isFewMeant
    self.columns = columns
    self.prompt = prompt
    self.sourceCheck = sourceCheck
    self.calibration = calibration
    self.overlap = overlap
    self.verdict = verdict
    self.keptTokens = keptTokens
  }

  /// Finds a model's source; nil when the project has no entry for it.
  init?(of identity: ModelIdentity, app: AppDetails, in project: Project) {
    let entry: ProjectEntry?
    let path: (PathPattern) -> String
    switch identity {
    case .shared(let name, _):
      entry = project.models.first { $0.name.value == name }?.entry
      path = { $0.literal }
    case .flow(let id, let name, let modelVersion, _):
      entry = project.customModels
      path = { pattern in
        pattern.path(flowName: name, flowId: id, modelVersion: modelVersion, appId: app.id)
      }
    }
    guard let entry else { return nil }
    self.init(
      model: Folder.join(project.folder, path(entry.source.value)),
      references: Folder.join(project.folder, path(entry.gate.references.value)),
      isFewMeant: entry.gate.isFewMeant, columns: entry.gate.columns,
      prompt: entry.prompt?.value,
      sourceCheck: entry.sourceCheck.map {
        SourceCheckPaths($0) { Folder.join(project.folder, path($0)) }
      },
      calibration: entry.calibration.map { Folder.join(project.folder, path($0.value)) },
      overlap: entry.dropsOverlap ? .dropped : .refused,
      verdict: entry.verdict.map { Folder.join(project.folder, path($0.value)) },
      keptTokens: entry.keptTokens.map { Folder.join(project.folder, path($0.value)) })
  }

  /// Whether every path stays where the project may read; noted when one leaves.
  func isHeld(in project: Project, _ log: ContractSection.Log) -> Bool {
    let place = Place(startOf: project.file)
    return [
      ("the source", model), ("the reference set", references),
      ("the references of the verdict", verdict),
      ("the vectors", sourceCheck?.vectors), ("the inputs", sourceCheck?.inputs),
      ("the calibration set", calibration), ("the corpus", keptTokens),
    ].allSatisfy { words, path in path.map { log.holds($0, words, at: place) } ?? true }
  }
}

extension PathPattern {
  /// The path for one custom model of an app.
  fileprivate func path(
    flowName: String, flowId: Int, modelVersion: Int, appId: String
  ) -> String {
    path { placeholder in
      switch placeholder {
      case .flowName: flowName
      case .flowId: String(flowId)
      case .modelVersion: String(modelVersion)
      case .appId: appId
      case .member: preconditionFailure("custom models have no members")
      }
    }
  }
}
