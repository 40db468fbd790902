import Files
import Packaging
import WeightCompression
import Weights

/// Builds a project: proves every model once, then writes a package for every customer whose models
/// all passed.
package struct Builder {
  private let project: Project
  private let plan: BuildPlan
  private let output: String
  private let jobs: Int
  private let toolVersion: SemanticVersion
  private let time: Timestamp
  private let progress: (BuildEvent) -> Void

  /// Builds a project.
  ///
  /// Archives appear whole or not at all. What one customer is refused does not touch the others.
  ///
  /// - Parameters:
  ///   - project: a folder with `ingot.yaml`, or the file itself.
  ///   - output: the folder for the packages; made when missing.
  ///   - jobs: threads; the bytes do not depend on it.
  ///   - toolVersion: version of the program, recorded in every manifest.
  /// - Throws: `ProjectFaults` when the project is faulty; then nothing was run.
  package static func build(
    project path: String, output: String, jobs: Int, toolVersion: String,
    progress: (BuildEvent) -> Void = { _ in }
  ) throws -> BuildReport {
    try build(
      project: path, output: output, jobs: jobs, toolVersion: toolVersion,
      sourceDateEpoch: System.environment("SOURCE_DATE_EPOCH"), progress: progress)
  }

  /// The same with the value of `SOURCE_DATE_EPOCH` given.
  static func build(
    project path: String, output: String, jobs: Int, toolVersion: String,
    sourceDateEpoch: String?, progress: (BuildEvent) -> Void
  ) throws -> BuildReport {
    let (project, plan) = try ProjectValidator.plan(path)
    guard let version = SemanticVersion(toolVersion) else {
      throw PackagingError.badTerms(
        field: "toolVersion", found: toolVersion, expected: "a version such as 1.4.0")
    }
    let time = try Timestamp(sourceDateEpoch: sourceDateEpoch)
    return try withoutActuallyEscaping(progress) { progress in
      let builder = Builder(
        project: project, plan: plan, output: output, jobs: max(1, jobs), toolVersion: version,
        time: time, progress: progress)
      return try builder.build()
    }
  }

  private func build() throws -> BuildReport {
    try Folder.create(output)
    let workshop = try Folder.createTemporary(in: output, prefix: ".ingot-")
    // Removing it may fail only on a broken disk; that must not hide the build's own outcome.
    defer { try? Folder.remove(workshop) }
    let outcomes = try prove(in: workshop)
    var report = BuildReport()
    for package in plan.packages { try write(package, outcomes, &report) }
    return report
  }

  private func prove(in workshop: String) throws -> [ModelJob.Outcome] {
    var outcomes: [ModelJob.Outcome] = []
    for (index, job) in plan.jobs.enumerated() {
      progress(
        .proving(
          model: job.label, method: job.key.compression.scheme.label, number: index + 1,
          of: plan.jobs.count))
      let work = ModelJob(
        job: job, path: Folder.join(workshop, "\(index).\(job.key.form.format.rawValue)"),
        jobs: jobs)
      let outcome = try work.run { progress(.warning("\(job.label): \($0)")) }
      switch outcome {
      case .proven: progress(.proven(model: job.label))
      case .refused(let reasons): progress(.refusedModel(model: job.label, reasons: reasons))
      case .unusable(let reasons): progress(.unusableModel(model: job.label, reasons: reasons))
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  private func write(
    _ package: BuildPlan.Package, _ outcomes: [ModelJob.Outcome], _ report: inout BuildReport
  ) throws {
    let app = package.customer.app
    let path = Folder.join(
      Folder.join(output, app.id), "\(app.id)-\(project.release.version).tar.zst")
    var models: [PackagedModel] = []
    var reasons: [String] = []
    var cause = BuildReport.Refusal.Cause.unusable
    for (identity, job) in package.models {
      switch outcomes[job] {
      case .proven(let emitted, let receipt, let terms):
        models.append(
          try PackagedModel(emitted, receipt: receipt, identity: identity, terms: terms))
      case .refused(let faults), .unusable(let faults):
        if case .refused = outcomes[job] { cause = .gate }
        reasons += faults.map { "model '\(plan.jobs[job].label)': \($0)" }
      }
    }
    guard reasons.isEmpty else {
      return refuse(app.id, cause, reasons, stale: path, &report)
    }
    do throws(FileError) {
      try Builder.requirePlace(for: path)
    } catch {
      return refuse(app.id, .output, ["\(error)"], stale: nil, &report)
    }
    let prepared = try PackageWriter.prepare(
      PackageTerms(
        app: app, version: project.release.version, compatibility: project.release.sdk,
        toolVersion: toolVersion, time: time), models, path: path, workers: jobs)
    try settle(prepared, app.id, path: path, &report)
  }

  /// Looks whether an archive can be put at a path, and makes its folder.
  ///
  /// Done before anything is written: what fails later, such as a full disk, is no fault of this
  /// one customer's path.
  private static func requirePlace(for path: String) throws(FileError) {
    try Folder.create(Folder.parent(of: path))
    // Opening what is there tells whether it can be compared, a sibling whether one can be made.
    if Folder.kind(of: path) != .missing { _ = try MappedFile(path: path) }
    _ = try AtomicFile(path: path)
  }

  /// Gives a prepared package its name, unless an archive of this version is there already.
  private func settle(
    _ prepared: consuming PreparedPackage, _ customer: String, path: String,
    _ report: inout BuildReport
  ) throws {
    let isThere = Folder.kind(of: path) != .missing
    let entry = BuildReport.Package(
      customer: customer, version: "\(project.release.version)", path: path,
      sha256: prepared.sha256.hex, bytes: prepared.byteCount, isReused: isThere)
    if isThere {
      guard try ContentDigest(of: MappedFile(path: path)) == prepared.sha256 else {
        let reason =
          "\(path): is there with other content, and a version is never written twice; "
          + "raise 'version' in \(project.file), or remove the archive"
        return refuse(customer, .conflict, [reason], stale: nil, &report)
      }
    } else {
      try prepared.commit()
    }
    report.packages.append(entry)
    progress(.packaged(path: path, isReused: isThere))
  }

  /// Notes that a customer gets no package.
  ///
  /// - Parameter stale: where an archive of an earlier build may lie.
  private func refuse(
    _ customer: String, _ cause: BuildReport.Refusal.Cause, _ reasons: [String], stale: String?,
    _ report: inout BuildReport
  ) {
    if let stale, Folder.kind(of: stale) != .missing {
      progress(.warning("\(stale): is left from an earlier build; do not ship it"))
    }
    report.refused.append(
      BuildReport.Refusal(
        customer: customer, version: "\(project.release.version)", cause: cause,
        reasons: reasons))
    progress(.refusedCustomer(customer: customer))
  }
}
