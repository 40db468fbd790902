package import Files
package import Packaging
import Project
package import Store
import Weights

/// Builds a project: proves every model once, then writes a package for every customer whose models
/// all passed.
///
/// Packages that the index knows to be made from the very same inputs, and that are there whole, are
/// left as they are; only for the others models are brought back or made.
package struct Builder {
  private let project: Project
  private let packages: [PackageJob]
  private let folder: OutputFolder
  private let work: ModelWork
  private let signer: ReleaseSigner?
  private let request: BuildRequest
  private let progress: (BuildEvent) -> Void

  /// Builds a project.
  ///
  /// Archives appear whole or not at all. A refusal for one customer does not touch the others.
  ///
  /// - Throws: `ProjectFaults` when the project is faulty; then nothing was run. `OutputFolder.Busy`
  ///   when another build has the output folder.
  package static func build(
    _ request: BuildRequest, progress: (BuildEvent) -> Void = { _ in }
  ) throws -> BuildReport {
    let memory = ModelMemory()
    let (project, plan, warnings) = try ProjectValidator.plan(
      request.project, root: request.root, opening: memory, jobs: request.jobs)
    for warning in warnings { progress(.warning("\(warning)")) }
    let signer = try ReleaseSigner(project)
    return try withoutActuallyEscaping(progress) { progress in
      let folder = try OutputFolder(request.output)
      let work = try ModelWork(plan, request, in: folder, opening: memory, progress: progress)
      let cached = try request.shards.map { try ShardMerge.cached(in: $0, of: work.actions) }
      let packages = PackageJob.all(
        of: plan, project, toolVersion: request.tool.version, time: request.time)
      return try Builder(
        project: project, packages: packages, folder: folder, work: work, signer: signer,
        request: request, progress: progress
      ).build(cached: cached ?? [])
    }
  }

  /// Makes one shard's models and keeps them in the store; packs nothing.
  ///
  /// - Returns: the models; the shard's result is in the output folder.
  /// - Throws: as `build`.
  package static func build(
    _ shard: Shard, of request: BuildRequest, progress: (BuildEvent) -> Void = { _ in }
  ) throws -> BuildReport {
    let memory = ModelMemory()
    let (_, plan, warnings) = try ProjectValidator.plan(
      request.project, root: request.root, opening: memory, jobs: request.jobs)
    for warning in warnings { progress(.warning("\(warning)")) }
    return try withoutActuallyEscaping(progress) { progress in
      let folder = try OutputFolder(request.output)
      let work = try ModelWork(plan, request, in: folder, opening: memory, progress: progress)
      // The other shards may see it; the plans of all must be the same.
      for case .unusable(.error(let error)) in work.inputs {
        if let fault = MachineFault.file(in: error) { throw fault }
      }
      let jobs = plan.jobs.indices.filter { work.action(of: $0).map(shard.holds) ?? false }
      try work.work(on: jobs)
      let unusable = work.reports.filter { $0.verdict == .unusable }.map(\.key)
      let result = ShardResult(shard, of: work.actions, unusable: unusable)
      try folder.put(result.bytes, at: result.fileName)
      var report = BuildReport()
      report.models = work.reports
      return report
    }
  }

  /// - Parameter cached: keys of the work that shards did; a model among them that is not in the store
  ///   is an error.
  private func build(cached: Set<String>) throws -> BuildReport {
    let index = try ReleaseIndex.checked(
      in: folder, signer, isAccepted: request.acceptsIndex, say: progress)
    let check = PackageCheck(
      index: index, folder: folder, projectFile: project.file, signer: signer)
    var publication = Publication(
      index: index, folder: folder, signer: signer, projectFile: project.file, progress: progress)
    var open: [PackageJob] = []
    let inputs = packages.map { $0.inputs(work.inputs) }
    let entries = check.entries(packages, inputs, jobs: request.jobs)
    for (package, entry) in zip(packages, entries) {
      if let entry {
        publication.reuse(package, entry)
      } else if let objection = objection(to: package, check) {
        publication.refuse(
          package, objection.cause, [objection.reason], downgrade: objection.downgrade)
      } else {
        open.append(package)
      }
    }
    try work.work(on: open.flatMap { $0.models.map(\.job) }, cached: cached)
    try pack(open, inputs, &publication)
    return try publication.finish(packages, work.reports)
  }

  /// Why a package may not be written, by the files there; an unreadable one is an objection, too.
  private func objection(
    to package: PackageJob, _ check: PackageCheck
  ) -> (cause: BuildReport.Refusal.Cause, reason: String, downgrade: Downgrade?)? {
    do throws(FileError) {
      if let reason = try check.otherForm(package) { return (.conflict, reason, nil) }
      if let downgrade = try check.downgrade(package), !request.allowsDowngrade {
        return (.downgrade, downgrade.description, downgrade)
      }
      return nil
    } catch {
      return (.output, "\(error)", nil)
    }
  }

  /// Packages that are packed before the next word on progress.
  private static let batch = 64

  private func pack(
    _ open: [PackageJob], _ inputs: [PackageInputs?], _ publication: inout Publication
  ) throws {
    let owners = work.owners
    let run = PackageRun(folder: folder, signer: signer, jobs: request.jobs) { owners[$0] }
    var packed: [(package: PackageJob, outcome: PackageRun.Outcome)] = []
    for start in stride(from: 0, to: open.count, by: Self.batch) {
      let batch = open[start..<min(start + Self.batch, open.count)]
      let orders = try batch.compactMap { try order(of: $0, &publication) }
      let outcomes = run.pack(orders)
      for case .failed(let error) in outcomes { throw error }
      packed += zip(orders.map(\.package), outcomes).map { ($0, $1) }
      progress(.packed(count: start + batch.count, of: open.count))
    }
    // All that can fail for want of space has happened: now the names.
    if !packed.isEmpty { try folder.synchronize() }
    for (package, outcome) in packed {
      guard let inputs = inputs[package.index] else { continue }
      try publication.settle(package, outcome, inputs)
    }
  }

  /// A package with its models; nil, and refused, when one did not pass.
  private func order(
    of package: PackageJob, _ publication: inout Publication
  ) throws -> PackageRun.Order? {
    var models: [PackagedModel] = []
    var reasons: [String] = []
    var cause = BuildReport.Refusal.Cause.unusable
    for (identity, job) in package.models {
      switch work.outcome(of: job) {
      case .proven(let model):
        models += try model.parts.map { part in
          try PackagedModel(
            part.emitted, receipt: part.receipt, identity: identity.of(part.encoder),
            details: part.details, device: part.device)
        }
      case .refused(let refusal):
        cause = .gate
        reasons += refusal.lines.map { "model '\(work.plan.jobs[job].label)': \($0)" }
      case .unusable(let fault):
        reasons += fault.reasons.map { "model '\(work.plan.jobs[job].label)': \($0)" }
      }
    }
    guard reasons.isEmpty else {
      publication.refuse(package, cause, reasons)
      return nil
    }
    return PackageRun.Order(
      package: package, models: models,
      leaks: try LeakCheck(work.plan.packages[package.index].customer, of: project, work))
  }
}

/// The parameters of a build.
package struct BuildRequest {
  /// A folder with `ingot.yaml`, or the file itself.
  package var project: String
  /// The folder that paths of the project may not leave; the project's own when nil.
  package var root: String?
  /// The folder for the packages; made when missing.
  package var output: String
  package var tool: BuildTool
  /// The one moment that packages know; the value of `SOURCE_DATE_EPOCH`.
  package var time: Timestamp
  /// Threads; the bytes do not depend on it.
  package var jobs = 1
  /// The store of models' outcomes; nothing is kept when nil.
  package var store: ContentStore?
  /// Whether an app may get an older version than it ever got.
  package var allowsDowngrade = false
  /// Whether the index is taken at its word where no list signed with the project's key confirms it.
  package var acceptsIndex = false
  /// A folder with the results of every shard; then no model is made here.
  package var shards: String?
  /// Names what the user may type, for reasons.
  package var naming: UserOption.Names = { _ in nil }
  /// Told each step of making a model, from any thread.
  package var stepping: @Sendable (ModelStep) -> Void = { _ in }

  package init(project: String, output: String, tool: BuildTool, time: Timestamp) {
    self.project = project
    self.output = output
    self.tool = tool
    self.time = time
  }
}
