import ArgumentParser
import Gate
import Packaging
import StrictJSON

/// Which limits the models of a package must have been held to.
struct ProfileFlag: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Fail where a model's limits are weaker than those of strict, standard or lenient.",
      discussion: "Limits are compared one by one, whatever profile they started from.",
      valueName: "profile"))
  var requireProfile: String?

  func validate() throws {
    guard let requireProfile, profile == nil else { return }
    let known = Limits.Profile.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("--require-profile '\(requireProfile)' is none of \(known)")
  }

  private var profile: Limits.Profile? { requireProfile.flatMap(Limits.Profile.init) }

  /// Fails unless every model of a package was held to the profile, or tighter; asks nothing where
  /// none was given. With `--json` the answer says why, too.
  func require(of package: VerifiedPackage, _ shared: SharedOptions, _ console: Console) throws {
    guard let profile else { return }
    try require(profile, met: package.faults(against: profile), by: package.path) { reasons in
      try shared.answer(console, text: "", json: adding(to: package.json).refused(reasons))
    }
  }

  /// The same of all packages of a list, whose faults were gathered.
  ///
  /// - Parameter path: of the list.
  func require(
    ofAll packages: ListedPackages, faults: [String], path: String, _ shared: SharedOptions,
    _ console: Console
  ) throws {
    guard let profile else { return }
    guard packages.count > 0 else {
      throw Failure(
        message: "\(path): lists no package, '\(profile.rawValue)' is required of packages",
        status: .verificationFailed)
    }
    try require(profile, met: faults, by: path) { reasons in
      try shared.answer(console, text: "", json: JSONValue.object([:]).refused(reasons))
    }
  }

  /// The shortfalls of a package of a list, its path before each sentence; empty if no profile is
  /// required.
  func faults(of package: VerifiedPackage) -> [String] {
    guard let profile else { return [] }
    return package.faults(against: profile).map { "\(package.path): \($0)" }
  }

  /// `requiredProfile` beside the rest of a report.
  func adding(to report: JSONValue) -> JSONValue {
    guard let profile, case .object(var members) = report else { return report }
    members["requiredProfile"] = .string(profile.rawValue)
    return .object(members)
  }

  /// A line on the required profile, which is met; empty if none was required.
  var text: String {
    profile.map { "  limits: at least as tight as '\($0.rawValue)', as required\n" } ?? ""
  }
}

extension ProfileFlag {
  private func require(
    _ profile: Limits.Profile, met faults: [String], by path: String,
    answer: ([String]) throws -> Void
  ) throws {
    guard !faults.isEmpty else { return }
    try answer(faults)
    throw Failure(
      message: "\(path): limits are weaker than '\(profile.rawValue)', which is required",
      details: faults, status: .verificationFailed)
  }
}

extension JSONValue {
  /// The report of a package, or of a list, that is sound and refused all the same.
  func refused(_ reasons: [String]) -> JSONValue {
    guard case .object(var members) = self else { return self }
    members["verdict"] = "refused"
    members["reasons"] = .array(reasons.map(JSONValue.string))
    return .object(members)
  }
}
