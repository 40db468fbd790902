import ArgumentParser
import Packaging
import Project
import Release
import StrictJSON

/// Whether, and from what, the models of a package are proven again.
struct ReplayFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Run the gate again: the models of the archive against their sources in this project.",
      valueName: "project"))
  var replay: String?

  @OptionGroup var bounds: RootFlag
  @OptionGroup var jobs: JobOptions

  /// Replays a package that verified; nil when that was not asked for.
  func run(_ package: VerifiedPackage, _ console: Console) throws -> ReplayReport? {
    guard let replay else { return nil }
    let line = ProgressLine(console)
    defer { line.clear() }
    var toldFamily: String?
    do {
      return try Replay.run(
        package, project: replay, root: bounds.root, jobs: jobs.count,
        progress: { model, family, number, count in
          defer { line.begin(.model(number, of: count)) }
          // Members of a family are one line.
          guard family == nil || family != toldFamily else { return }
          toldFamily = family
          line.clear()
          console.note("[\(number)/\(count)] \(family ?? model): running the gate again")
        }, stepping: line.show, naming: Flags.name)
    } catch let faults as ProjectFaults {
      faults.naming(Flags.name).report(to: console)
      throw ExitStatus.failed.code
    }
  }
}

extension ReplayReport {
  /// The report of a package with this one under `replay`.
  func added(to package: JSONValue) -> JSONValue {
    guard case .object(var members) = package else { return package }
    members["replay"] = json
    return .object(members)
  }

  /// Fails unless every model was proven again.
  func requireProof(of archive: String) throws {
    if isProven { return }
    throw Failure(
      message: "\(archive): not every model could be proven again", details: reasons,
      status: isContradicted ? .verificationFailed : .failed)
  }
}
