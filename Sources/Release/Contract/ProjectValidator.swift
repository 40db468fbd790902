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
  ///   - output: the folder of the packages, where what was built before must not stand in the way;
  ///     nil to look at none.
  ///   - root: the folder that paths of the project may not leave; the project's own when nil.
  package static func validate(
    _ path: String, output: String? = nil, root: String? = nil
  ) -> ProjectFaults {
    let log = ContractSection.Log(root: root)
    _ = read(path, output: output, log: log)
    return log.faults
  }

  /// A sound project with its plan, and what is doubtful about it.
  ///
  /// - Parameter root: the folder that paths of the project may not leave; the project's own when nil.
  /// - Throws: `ProjectFaults` when there is any error.
  static func plan(
    _ path: String, root: String? = nil
  ) throws(ProjectFaults) -> (project: Project, plan: BuildPlan, warnings: [Fault]) {
    let log = ContractSection.Log(root: root)
    guard let (project, plan) = read(path, output: nil, log: log), !log.faults.hasErrors else {
      throw log.faults
    }
    return (project, plan, log.faults.warnings)
  }

  /// The key that signs a project's packages, and why it cannot; nil where there is none, or no
  /// project.
  package static func signingKey(of path: String) -> (path: String, fault: Fault?)? {
    guard let draft = ProjectReader.draft(path, log: ContractSection.Log()),
      let sign = draft.sign
    else { return nil }
    let key = Folder.join(draft.folder, sign.value)
    return (key, SigningKeyCheck.fault(of: key, at: sign.place))
  }

  private static func read(
    _ path: String, output: String?, log: ContractSection.Log
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
    // What is faulty is not what will be built.
    if let output, !log.faults.hasErrors {
      VersionCheck(output: output, project, log: log)?.look(at: plan)
    }
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
