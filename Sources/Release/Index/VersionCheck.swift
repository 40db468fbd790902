import Files
import Packaging
package import Project
import StrictJSON

extension ProjectValidator {
  /// Every fault of a project at once, as `validate(_:root:opening:besides:)` finds them, and conflicts
  /// with earlier builds.
  ///
  /// - Parameters:
  ///   - output: the folder of the packages; nil to look at none.
  ///   - root: the folder that paths of the project may not leave; the project's own when nil.
  ///   - progress: told each step.
  package static func validate(
    _ path: String, output: String?, root: String? = nil, progress: (Step) -> Void = { _ in }
  ) -> ProjectFaults {
    let memory = ModelMemory()
    return validate(path, root: root, opening: memory, progress: progress) { project, plan, log in
      if let output {
        VersionCheck(output: output, project, log: log)?
          .look(at: plan, opening: memory, progress: progress)
      }
    }
  }
}

/// Finds earlier builds that conflict with a release.
struct VersionCheck {
  private let index: ReleaseIndex
  private let project: Project
  private let log: ContractSection.Log

  /// Reads the index of an output folder; nil, with a fault, when it is damaged.
  init?(output: String, _ project: Project, log: ContractSection.Log) {
    do {
      index = try ReleaseIndex(folder: output)
    } catch let error as JSONError {
      log.faults.add(.damagedIndex, error)
      return nil
    } catch {
      let file = Folder.join(output, ReleaseIndex.fileName)
      log.faults.add(.damagedIndex, Place(startOf: file), "\(error)")
      return nil
    }
    if let fault = IndexCheck.fault(of: index, in: output), !index.isEmpty {
      log.faults.add(
        .damagedIndex, Place(startOf: Folder.join(output, ReleaseIndex.fileName)), fault.words)
      return nil
    }
    self.project = project
    self.log = log
  }

  /// Notes every customer who has this version already, of another make, or a later one.
  ///
  /// - Parameter progress: told each model whose inputs were read.
  func look(
    at plan: BuildPlan, opening memory: ModelMemory, progress: (ProjectValidator.Step) -> Void
  ) {
    guard !index.isEmpty else { return }
    let inputs = plan.jobs.enumerated().map { place, job in
      progress(.hashingInputs(place, of: plan.jobs.count))
      // A file that cannot be read now is reported elsewhere.
      return (try? ModelWork.inputs(of: job, opening: memory)) ?? .unusable(.notMade)
    }
    progress(.hashingInputs(plan.jobs.count, of: plan.jobs.count))
    // The compared values depend neither on the tool nor on the time.
    let packages = PackageJob.all(
      of: plan, project, toolVersion: project.release.version, time: .epoch)
    for package in packages {
      let place = plan.packages[package.index].customer.place
      let version = package.details.version
      if let entry = index.entry(package.app, version), !entry.isRecovered {
        // An unreadable input is a fault of its own.
        guard let now = package.inputs(inputs), let difference = difference(entry, now) else {
          continue
        }
        log.faults.add(
          .versionExists, place,
          "version \(version) of app '\(package.app)' was built \(difference); "
            + "no version is written twice", hint: "raise 'version' in \(project.file)")
      } else if let newest = index.newest(of: package.app), version < newest {
        log.faults.add(
          .versionGoesDown, place,
          "app '\(package.app)' has version \(newest), this release is \(version)",
          hint: "raise 'version' beyond \(newest)",
          option: .init(", or build with ", .allowDowngrade))
      }
    }
  }

  /// How a package was made otherwise; nil if nothing differs.
  private func difference(_ entry: ReleaseIndex.Entry, _ now: PackageInputs) -> String? {
    let names = Set(entry.models.keys).union(now.models.keys).sorted()
    for name in names where entry.models[name] != now.models[name] {
      switch (entry.models[name], now.models[name]) {
      case (nil, _): return "without the model '\(name)'"
      case (_, nil): return "with the model '\(name)'"
      default: return "from other weights, references or options of the model '\(name)'"
      }
    }
    return entry.terms == now.terms
      ? nil : "with other bundle identifiers, SDK versions, license or archive"
  }
}
