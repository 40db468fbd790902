import ArgumentParser
import PackageNames
import Packaging

/// Which package is wanted: a sound and signed one may be another customer's, or an old one.
struct ExpectedPackage: ParsableArguments {
  @Option(help: ArgumentHelp("The app that it must be for.", valueName: "id"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The oldest version that is taken; what follows a '+' does not count.", valueName: "version"))
  var minVersion: String?

  @Option(
    help: ArgumentHelp("A bundle identifier that it must be for.", valueName: "identifier"))
  var bundle: String?

  /// Whether anything is asked for.
  var isGiven: Bool { app != nil || minVersion != nil || bundle != nil }

  /// The expectations that were met, by the names that `--json` uses.
  var checked: [String] {
    [("app", app), ("bundle", bundle), ("version", minVersion)].filter { $0.1 != nil }.map(\.0)
  }

  func validate() throws {
    if let app, !Identifiers.isAppID(app.lowercased()) {
      throw ValidationError("'\(app)' is no app's id; expected a UUID")
    }
    if let minVersion, SemanticVersion(minVersion) == nil {
      throw ValidationError("'\(minVersion)' is no version; expected one such as 1.4.0")
    }
    if let bundle, !Identifiers.isBundleIdentifier(bundle) {
      throw ValidationError(
        "'\(bundle)' is no bundle identifier; expected one such as com.example.app")
    }
  }

  /// Refuses a package that says of itself that it is another one. With `--json` the answer says why,
  /// too.
  func require(
    _ package: VerifiedPackage, _ shared: SharedOptions, _ console: Console
  ) throws {
    let faults = self.faults(package.manifest)
    guard !faults.isEmpty else { return }
    try shared.answer(console, text: "", json: package.json.refused(faults))
    throw Failure(
      message: "\(package.path): is not the package that was asked for", details: faults,
      status: .verificationFailed)
  }

  private func faults(_ manifest: Manifest) -> [String] {
    var faults: [String] = []
    if let app = app?.lowercased(), app != manifest.app.id {
      faults.append("it is for app \(manifest.app.id), asked for was \(app)")
    }
    if let minimum = minVersion.flatMap(SemanticVersion.init), manifest.version < minimum {
      faults.append("it has version \(manifest.version), asked for was \(minimum) or later")
    }
    if let bundle, !manifest.app.bundleIdentifiers.contains(bundle) {
      faults.append(
        "it is for bundle \(manifest.app.bundleIdentifiers.joined(separator: ", ")), asked for was "
          + bundle)
    }
    return faults
  }
}
