import Files

/// Checks a project before anything runs.
package enum ProjectValidator {
  /// Every fault of a project at once: its own file, the customer list, and every model and
  /// reference set they name. No model is run.
  ///
  /// - Parameter path: a folder with `ingot.yaml`, or the file itself.
  package static func validate(_ path: String) -> ProjectFaults {
    let log = ContractSection.Log()
    _ = read(path, log: log)
    return log.faults
  }

  /// A sound project with its plan.
  ///
  /// - Throws: `ProjectFaults` when there is any fault.
  static func plan(_ path: String) throws(ProjectFaults) -> (project: Project, plan: BuildPlan) {
    let log = ContractSection.Log()
    guard let result = read(path, log: log), log.faults.isEmpty else { throw log.faults }
    return result
  }

  private static func read(
    _ path: String, log: ContractSection.Log
  ) -> (project: Project, plan: BuildPlan)? {
    defer { log.faults.sort(first: ProjectReader.file(of: path)) }
    guard let project = ProjectReader.read(path, log: log) else { return nil }
    let list = Folder.join(project.folder, project.customers.value)
    guard Folder.kind(of: list) != .missing else {
      log.faults.add(project.customers.place, "the customer list '\(list)' is not there")
      return nil
    }
    guard let customers = CustomerReader.read(list, log: log) else { return nil }
    let plan = BuildPlan(project, customers, log: log)
    check(plan, log)
    return (project, plan)
  }

  /// Opens every model and reference set, and looks whether they suit each other.
  private static func check(_ plan: BuildPlan, _ log: ContractSection.Log) {
    var check = JobCheck(log: log)
    for job in plan.jobs { check.look(at: job) }
  }
}
