import Files
import Release
import Signatures
import StrictJSON

/// Verifies a `SHA256SUMS`: its signature, then every file it lists, the index beside it, and every
/// package in the list with its own signature.
struct SumsVerification {
  let path: String
  /// Whether a whole output folder is verified: its index must be there, and know every archive.
  let isWhole: Bool
  let signature: SignatureFlags
  let profile: ProfileFlag
  let shared: SharedOptions

  private var folder: String { Folder.parent(of: path) }

  /// Says how many files are sound, or lists those that are not.
  func answer(_ console: Console) throws {
    if Folder.kind(of: path) == .missing, isWhole {
      throw Failure(
        message: "\(folder): has an index and no \(SumsFile.name), which says where the index ends",
        status: .verificationFailed)
    }
    let bytes = try MappedFile.contents(of: path, limit: SumsFile.sizeLimit)
    let signers = try signature.who.signers(console)
    let report = try signature.check(sums: bytes, path: path, by: signers)
    let (sums, audit) = try read(bytes)
    let faults = sums.faults(in: folder)
    guard faults.isEmpty else {
      throw Failure(
        message: "\(path): \(faults.count) of \(Figures.count(sums.count, "file")) not as listed",
        details: faults, status: .verificationFailed)
    }
    guard audit.faults.isEmpty else {
      throw Failure(
        message: "\(folder): the list, the index and the archives do not agree",
        details: audit.faults, hint: audit.hint, status: .verificationFailed)
    }
    var signatures = ListedSignatures(signature, by: signers)
    var gate = ListedGate()
    let packages = try soundPackages(of: sums, &signatures, &gate, console)
    try shared.answer(
      console,
      text: "\(path): sound, \(Figures.count(sums.count, "file"))\n\(profile.text)\(report.text)"
        + packages.text + gate.text(isAuthenticated: report.isAuthenticated) + signatures.text
        + audit.text,
      json: report.adding(
        to: gate.adding(
          to: profile.adding(
            to: [
              "verdict": "sound", "path": .string(path), "files": .integer(sums.count),
              "index": audit.json, "packageSignatures": signatures.json,
            ])),
        checked: ["integrity"] + packages.checked + audit.checked + report.checked
          + signatures.checked))
  }

  /// Opens every package of the list, and checks the files beside it.
  ///
  /// - Throws: `Failure` if one is not sound, is not signed by someone who may, or its limits are
  ///   weaker than required.
  private func soundPackages(
    of sums: SumsFile, _ signatures: inout ListedSignatures, _ gate: inout ListedGate,
    _ console: Console
  ) throws -> ListedPackages {
    let packages = ListedPackages(of: sums, in: folder)
    var weaker: [String] = []
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let faults = try packages.faults(
      progress: { progress.show("verifying packages", $0, of: $1) }
    ) { package in
      weaker += profile.faults(of: package)
      gate.note(package)
      return try signatures.fault(of: package)
    }
    progress.clear()
    guard faults.isEmpty else {
      throw Failure(
        message:
          "\(path): \(faults.count) of \(Figures.count(packages.count, "package")) not "
          + signatures.wanted,
        details: faults, status: .verificationFailed)
    }
    try profile.require(ofAll: packages, faults: weaker, path: path, shared, console)
    return packages
  }

  private func read(_ bytes: [UInt8]) throws -> (SumsFile, OutputAudit) {
    do {
      let sums = try SumsFile(bytes, origin: path)
      return (sums, try OutputAudit(folder: folder, sums: sums, isWhole: isWhole))
    } catch let error as SignatureError {
      throw Failure(message: "\(error)", status: .verificationFailed)
    } catch let error as JSONError {
      throw Failure(message: "\(error)", status: .verificationFailed)
    }
  }
}

extension OutputAudit {
  /// A line for people.
  fileprivate var text: String {
    switch index {
    case .unlisted: "  index: not checked, the list does not say where it ends\n"
    case .missing: "  index: not checked, it is not here\n"
    case .held(let lines, let all) where lines == all:
      "  index: all of its \(Figures.count(lines, "line")) as listed\n"
    case .held(let lines, let all):
      "  index: \(lines) of \(Figures.count(all, "line")) as listed, the others came later\n"
    }
  }

  fileprivate var checked: [String] {
    if case .held = index { ["index"] } else { [] }
  }

  /// Null where the index was not checked.
  fileprivate var json: JSONValue {
    guard case .held(let lines, let all) = index else { return .null }
    return ["listed": .integer(lines), "lines": .integer(all)]
  }
}
