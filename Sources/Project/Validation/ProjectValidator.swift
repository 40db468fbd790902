import Files
import Packaging

/// Checks a project before anything runs.
package enum ProjectValidator {
  /// Every fault of a project at once: its own file, the customer list, and every model and
  /// reference set they name, as far as the faults of the first two let it know them. No model is
  /// run.
  ///
  /// - Parameters:
  ///   - path: a folder with `ingot.yaml`, or the file itself.
  ///   - root: the folder that paths of the project may not leave; the project's own when nil.
  ///   - look: looks at a sound project and its plan for more, and notes what it finds.
  package static func validate(
    _ path: String, root: String? = nil,
    besides look: (Project, BuildPlan, ContractSection.Log) -> Void = { _, _, _ in }
  ) -> ProjectFaults {
    let log = ContractSection.Log(root: root)
    _ = read(path, log: log, besides: look)
    return log.faults
  }

  /// A sound project with its plan, and what is doubtful about it.
  ///
  /// - Parameter root: the folder that paths of the project may not leave; the project's own when nil.
  /// - Throws: `ProjectFaults` when there is any error.
  package static func plan(
    _ path: String, root: String? = nil
  ) throws(ProjectFaults) -> (project: Project, plan: BuildPlan, warnings: [Fault]) {
    let log = ContractSection.Log(root: root)
    guard let (project, plan) = read(path, log: log), !log.faults.hasErrors else {
      throw log.faults
    }
    return (project, plan, log.faults.warnings)
  }

  /// The key that signs a project's packages, and why it cannot; nil if there is none, or no
  /// project.
  package static func signingKey(of path: String) -> (path: String, fault: Fault?)? {
    guard let draft = ProjectReader.draft(path, log: ContractSection.Log()),
      let sign = draft.sign
    else { return nil }
    let key = Folder.join(draft.folder, sign.value)
    return (key, SigningKeyCheck.fault(of: key, at: sign.place))
  }

  private static func read(
    _ path: String, log: ContractSection.Log,
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
    // A project without a list still has models to look at.
    let list = customers(of: draft, log) ?? CustomerList(customers: [])
    let assigned = AssignmentCheck(project: draft, log: log).sound(of: list)
    let project = draft.soundPart
    let plan = BuildPlan(project, assigned)
    ModelCheck.look(at: plan, of: draft, assigned, log: log)
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
