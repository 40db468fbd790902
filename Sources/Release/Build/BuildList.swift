import Project
import Store
package import StrictJSON

/// The models that a build would make, each with the key of its work.
package struct BuildList {
  private let actions: [(label: String, job: BuildPlan.Job, key: String)]
  private let customers: Int

  /// Plans a build and reads its inputs; makes nothing.
  ///
  /// - Throws: `ProjectFaults` when the project is faulty.
  package init(_ request: BuildRequest) throws {
    let memory = ModelMemory()
    let (_, plan, _) = try ProjectValidator.plan(
      request.project, root: request.root, opening: memory, jobs: request.jobs)
    customers = plan.packages.count
    actions = try plan.jobs.compactMap { job in
      guard case .known(let inputs) = try ModelWork.inputs(of: job, opening: memory) else {
        return nil
      }
      return (job.label, job, inputs.action(by: request.tool).description)
    }
  }

  /// A line for each model.
  package var text: String { actions.map { "\($0.key)  \($0.label)\n" }.joined() }

  /// The report of `ingot build --list --json`.
  package var json: JSONValue {
    [
      "actions": .array(
        actions.map { action in
          [
            "key": .string(action.key), "model": .string(action.label),
            "calibration": action.job.key.calibration.map { .string($0) } ?? .null,
            "keepTokens": action.job.key.keptTokens.map { .string($0) } ?? .null,
            "sourceCheck": action.job.key.sourceCheck.map { .string($0.vectors) } ?? .null,
            "source": .string(action.job.key.source),
            "references": .string(action.job.key.references),
            "verdict": action.job.key.verdict.map { .string($0) } ?? .null,
          ]
        }),
      "customers": .integer(customers),
    ]
  }
}
