import Files
import Packaging
import Signatures
import StrictJSON

/// Checks and counts signatures and provenance of listed packages, by the signers of the list.
struct ListedSignatures {
  private let flags: SignatureFlags
  private let signers: AllowedSigners?
  private var count = 0
  private var provenanceCount = 0

  /// - Parameter signers: who may sign; without, nothing is checked.
  init(_ flags: SignatureFlags, by signers: AllowedSigners?) {
    self.flags = flags
    self.signers = signers
  }

  /// Words for packages without faults.
  var wanted: String { signers == nil ? "sound" : "sound and signed" }

  /// Why a package is not signed by someone who may, or its provenance is not.
  ///
  /// - Throws: errors that prevent the check.
  mutating func fault(of package: VerifiedPackage) throws -> String? {
    guard let signers else { return nil }
    if let fault = Self.unreadable(beside: package.path) { return fault }
    do {
      let report = try flags.check(package, by: signers)
      count += 1
      if case .signed(_, .some) = report { provenanceCount += 1 }
      return nil
    } catch let failure as Failure where failure.status == .verificationFailed {
      return ([failure.message] + failure.details).joined(separator: "; ")
    }
  }

  /// A pipe, a folder, or a link that leads nowhere can be no signature; it does not keep from looking
  /// at the other packages.
  private static func unreadable(beside path: String) -> String? {
    [SSHSignature.suffix, AttestedSubjects.suffix].lazy.map { path + $0 }.first { place in
      switch Folder.kind(of: place) {
      case .file: false
      case .missing: Folder.isLink(place)
      case .folder, .other: true
      }
    }.map { "\($0): is not a regular file" }
  }

  /// A line for people; empty where nothing was checked.
  var text: String {
    count == 0
      ? ""
      : "  signatures: good, all of \(Figures.count(count, "package")); provenance of "
        + "\(provenanceCount)\n"
  }

  /// The checks done, for JSON.
  var checked: [String] { count == 0 ? [] : ["packageSignatures"] }

  /// How many were checked, for JSON; null if no check was asked for.
  var json: JSONValue {
    signers == nil
      ? .null : ["packages": .integer(count), "provenance": .integer(provenanceCount)]
  }
}
