import Files
import Packaging

/// Checks a project before anything runs.
package enum ProjectValidator {
  /// How far the check is.
  package enum Step: Equatable, Sendable {
    case readingCustomers
    case lookingAtModels(Int, of: Int)
    /// Models whose inputs are compared with those of earlier builds.
    case hashingInputs(Int, of: Int)
  }

  /// Every fault of a project at once: its own file, the customer list, and every model and
  /// reference set they name, as far as the faults of the first two let it know them. No model is
  /// run.
  ///
  /// - Parameters:
  ///   - path: a folder with `ingot.yaml`, or the file itself.
  ///   - root: the folder that paths of the project may not leave; the project's own when nil.
  ///   - memory: opens the models.
  ///   - progress: told each step.
  ///   - look: looks at a sound project and its plan for more, and notes what it finds.
  package static func validate(
    _ path: String, root: String? = nil, opening memory: ModelMemory = ModelMemory(),
    progress: (Step) -> Void = { _ in },
    besides look: (Project, BuildPlan, ContractSection.Log) -> Void = { _, _, _ in }
  ) -> ProjectFaults {
    let log = ContractSection.Log(root: root)
    _ = read(path, log: log, memory, progress: progress, besides: look)
    return log.faults
  }

  /// A sound project with its plan, and what is doubtful about it.
  ///
  /// - Parameters:
  ///   - root: the folder that paths of the project may not leave; the project's own when nil.
  ///   - memory: opens the models; small ones and the one that was looked at last stay open in it.
  ///   - jobs: threads; faults do not depend on it.
  /// - Throws: `ProjectFaults` when there is any error.
  package static func plan(
    _ path: String, root: String? = nil, opening memory: ModelMemory = ModelMemory(), jobs: Int = 1
  ) throws(ProjectFaults) -> (project: Project, plan: BuildPlan, warnings: [Fault]) {
    let log = ContractSection.Log(root: root)
    guard let (project, plan) = read(path, log: log, memory, jobs: jobs), !log.faults.hasErrors
    else {
      throw log.faults
    }
    return (project, plan, log.faults.warnings)
  }

  /// The release that a project is for. Faults of its file elsewhere do not matter here.
  ///
  /// - Parameter path: a folder with `ingot.yaml`, or the file itself.
  /// - Throws: `ProjectFaults` when it does not say.
  package static func release(of path: String) throws(ProjectFaults) -> ReleaseOptions {
    let log = ContractSection.Log()
    guard let release = ProjectReader.draft(path, log: log)?.release else { throw log.faults }
    return release
  }

  /// The apps of a project's customers; nil where its list cannot be read.
  package static func apps(of path: String) -> [String]? {
    let log = ContractSection.Log()
    return ProjectReader.draft(path, log: log)
      .flatMap { customers(of: $0, log) }?.customers.map(\.app.id)
  }

  /// The key that signs a project's packages, and why it cannot; nil without a key, or no
  /// project.
  package static func signingKey(of path: String) -> (path: String, fault: Fault?)? {
    guard let draft = ProjectReader.draft(path, log: ContractSection.Log()),
      let sign = draft.sign
    else { return nil }
    let key = Folder.join(draft.folder, sign.value)
    return (key, SigningKeyCheck.fault(of: key, at: sign.place))
  }

  private static func read(
    _ path: String, log: ContractSection.Log, _ memory: ModelMemory, jobs: Int = 1,
    progress: (Step) -> Void = { _ in },
    besides look: (Project, BuildPlan, ContractSection.Log) -> Void = { _, _, _ in }
  ) -> (project: Project, plan: BuildPlan)? {
    defer { log.faults.sort(first: ProjectReader.file(of: path)) }
    guard let draft = ProjectReader.draft(path, log: log) else { return nil }
    if let sign = draft.sign,
      let fault = SigningKeyCheck.fault(
        of: Folder.join(draft.folder, sign.value), at: sign.place)
    {
      log.faults.add(fault.rule, fault.place, fault.message, hint: fault.hint)
    }
    progress(.readingCustomers)
    // A project without a list still has models to look at.
    let list = customers(of: draft, log) ?? CustomerList(customers: [])
    let assigned = AssignmentCheck(project: draft, log: log).sound(of: list)
    let project = draft.soundPart
    let plan = BuildPlan(project, assigned)
    memory.prepare(plan.jobs, within: log.bounds, threads: jobs)
    lookAtModels(of: plan, draft, assigned, log, memory, progress)
    // A faulty project will not be built as it is.
    if !log.faults.hasErrors { look(project, plan, log) }
    return (project, plan)
  }

  private static func customers(
    of draft: ProjectDraft, _ log: ContractSection.Log
  ) -> CustomerList? {
    guard let customers = draft.customers else { return nil }
    let list = Folder.join(draft.folder, customers.value)
    guard log.holds(list, "'customers'", at: customers.place) else { return nil }
    guard Folder.kind(of: list) != .missing else {
      let missing = MissingPath(list)
      log.faults.add(
        .missingCustomerList, customers.place, missing.words("the customer list"),
        hint: missing.suggestion)
      return nil
    }
    return CustomerReader.read(list, log: log)
  }
}

extension ProjectValidator {
  /// Opens every model and reference set that a project names, be it faulty elsewhere.
  private static func lookAtModels(
    of plan: BuildPlan, _ draft: ProjectDraft, _ list: CustomerList, _ log: ContractSection.Log,
    _ memory: ModelMemory, _ progress: (Step) -> Void
  ) {
    var check = JobCheck(log: log, memory)
    let owners = Owners(of: plan)
    let faulty = draft.models.filter { $0.entry.entry == nil }
    let flows = draft.customModels.map { list.flowsWithoutJob(of: $0) } ?? []
    let total = plan.jobs.count + faulty.count + flows.count
    var done = 0
    func next(_ look: () -> Void) {
      progress(.lookingAtModels(done, of: total))
      look()
      done += 1
    }
    for (index, job) in plan.jobs.enumerated() {
      next { check.look(at: job, of: owners.words(index)) }
    }
    check.finish()
    for model in faulty {
      next { check.look(at: model.entry, of: model.name, in: draft.folder) }
    }
    for (entry, flow, appID) in flows {
      next { check.look(at: entry, for: flow, appID: appID, in: draft.folder) }
    }
    progress(.lookingAtModels(done, of: total))
  }
}

extension CustomerList {
  /// The flows that no job is about, since the entry or their customer is faulty, each with its app's
  /// ID if that is known.
  fileprivate func flowsWithoutJob(
    of entry: ProjectEntryDraft
  ) -> [(entry: ProjectEntryDraft, flow: Flow, appID: String?)] {
    let known = entry.entry == nil ? customers : []
    return known.flatMap { customer in customer.flows.map { (entry, $0, customer.app.id) } }
      + strayFlows.map { (entry, $0, nil) }
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
      look(
        atReferences: Folder.join(folder, references.value.literal), columns: entry.columns,
        for: asker(references))
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
      look(atReferences: path, columns: entry.columns, for: asker(references))
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
