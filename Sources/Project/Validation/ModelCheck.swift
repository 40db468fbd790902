import Files
import Packaging

/// Opens every model and reference set that a project names, be it faulty elsewhere.
enum ModelCheck {
  static func look(
    at plan: BuildPlan, of draft: ProjectDraft, _ list: CustomerList, log: ContractSection.Log
  ) {
    var check = JobCheck(log: log)
    let owners = Owners(of: plan)
    for (index, job) in plan.jobs.enumerated() {
      check.look(at: job, of: owners.words(index))
    }
    for (name, entry) in draft.models where entry.entry == nil {
      check.look(at: entry, of: name, in: draft.folder)
    }
    guard let entry = draft.customModels else { return }
    if entry.entry == nil {
      for customer in list.customers {
        for flow in customer.flows {
          check.look(at: entry, for: flow, appID: customer.app.id, in: draft.folder)
        }
      }
    }
    for flow in list.strayFlows {
      check.look(at: entry, for: flow, appID: nil, in: draft.folder)
    }
  }
}

extension JobCheck {
  /// Looks at a shared model whose entry is faulty.
  fileprivate mutating func look(
    at entry: ProjectEntryDraft, of name: Located<String>, in folder: String
  ) {
    func asker(_ path: Located<PathPattern>) -> ModelOpener.Asker {
      ModelOpener.Asker(words: "model '\(name.value.asciiEscaped)'", place: path.place)
    }
    if let source = entry.source {
      look(atModel: Folder.join(folder, source.value.literal), for: asker(source))
    }
    if let references = entry.references {
      look(atReferences: Folder.join(folder, references.value.literal), for: asker(references))
    }
  }

  /// Looks at a custom model whose entry or customer is faulty.
  ///
  /// - Parameter appID: nil when it is unknown; then paths in a folder of its own are left out.
  fileprivate mutating func look(
    at entry: ProjectEntryDraft, for flow: Flow, appID: String?, in folder: String
  ) {
    let owner = appID.map { " of app '\($0)'" } ?? ""
    func asker(_ path: Located<PathPattern>) -> ModelOpener.Asker {
      ModelOpener.Asker(words: "model '\(flow.label)'\(owner)", place: path.place(for: flow))
    }
    func path(_ pattern: Located<PathPattern>) -> String? {
      guard appID != nil || !pattern.value.uses(.appId) else { return nil }
      return Folder.join(folder, flow.path(pattern.value, appID: appID ?? ""))
    }
    if let source = entry.source, let path = path(source) {
      look(atModel: path, for: asker(source))
    }
    if let references = entry.references, let path = path(references) {
      look(atReferences: path, for: asker(references))
    }
  }
}

/// Whose custom model a job is.
private struct Owners {
  // The first app of each job and the number of apps; nil for shared models.
  private var first: [Int: (app: String, count: Int)] = [:]

  init(of plan: BuildPlan) {
    for package in plan.packages {
      for (identity, job) in package.models {
        guard case .flow = identity else { continue }
        first[job] = (first[job]?.app ?? package.customer.app.id, (first[job]?.count ?? 0) + 1)
      }
    }
  }

  /// ` of app 'c2d6…' and 3 more`, or nothing for a shared model.
  func words(_ job: Int) -> String {
    guard let (app, count) = first[job] else { return "" }
    return " of app '\(app)'" + (count > 1 ? " and \(count - 1) more" : "")
  }
}
