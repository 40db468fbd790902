import ArgumentParser
import Files
import Packaging
import Signatures
import Weights

/// Who must have signed a verified file.
struct SignatureFlags: ParsableArguments {
  @OptionGroup var who: SignerFlags

  @Option(help: ArgumentHelp("The signature; FILE.sig without.", valueName: "file"))
  var signature: String?

  @Flag(help: "Refuse an archive without provenance (FILE.intoto.jsonl).")
  var requireProvenance = false

  func validate() throws {
    guard who.allowedSigners == nil else { return }
    if requireProvenance {
      throw ValidationError("--require-provenance needs --allowed-signers")
    }
    if signature != nil { throw ValidationError("--signature needs --allowed-signers") }
  }

  /// Checks the signature of an archive, and its provenance if that is beside it.
  func check(_ package: VerifiedPackage, _ console: Console) throws -> SignatureReport {
    guard let signers = try who.signers(console) else { return Self.unchecked(package.path) }
    return try check(package, by: signers, at: signature)
  }

  /// Checks the signature of an archive, and its provenance if that is beside it, by a list of
  /// signers.
  ///
  /// - Parameter place: path of the signature; beside the archive when nil.
  func check(
    _ package: VerifiedPackage, by signers: AllowedSigners, at place: String? = nil
  ) throws -> SignatureReport {
    let path = package.path
    let file = try MappedFile(path: path)
    guard ContentDigest(of: file) == package.sha256 else {
      throw Failure(
        message: "\(path): has changed while it was verified", status: .verificationFailed)
    }
    let signer = try who.signer(of: file, by: signers, at: place, hint: hint)
    return try SignerFlags.verified {
      let envelope = path + AttestedSubjects.suffix
      guard Folder.kind(of: envelope) != .missing else {
        try requireNoProvenance(of: path, envelope)
        return .signed(by: signer, provenance: nil)
      }
      let opened = try Envelope(path: envelope).open(
        by: signers, type: AttestedSubjects.payloadType,
        namespace: SignatureNamespace.provenance, identity: who.identity,
        at: System.secondsSince1970)
      let subjects = try AttestedSubjects(opened.payload, origin: envelope)
      guard subjects.contains(sha256: package.sha256.hex) else {
        throw Failure(
          message: "\(envelope): speaks of \(subjects), the archive is '\(package.sha256)'",
          status: .verificationFailed)
      }
      return .signed(by: signer, provenance: opened.signer)
    }
  }

  /// Checks the signature of a list of digests.
  ///
  /// - Parameters:
  ///   - bytes: its content, as read for what else is done with it.
  ///   - signers: who may sign; without, nothing is checked.
  func check(
    sums bytes: [UInt8], path: String, by signers: AllowedSigners?
  ) throws -> SignatureReport {
    guard let signers else { return Self.unchecked(path) }
    return .signedList(
      by: try who.signer(ofSums: bytes, path: path, by: signers, at: signature, hint: hint))
  }

  private func requireNoProvenance(of path: String, _ envelope: String) throws {
    guard requireProvenance else { return }
    throw Failure(
      message: "\(path): has no provenance, '\(envelope)' is not there",
      hint: "it was taken away, or never sent: get it from where the archive came from",
      status: .verificationFailed)
  }

  /// The report if no signature check was asked for.
  static func unchecked(_ path: String) -> SignatureReport {
    Folder.kind(of: path + SSHSignature.suffix) == .missing ? .none : .unchecked
  }

  /// The way out where there is no signature.
  private var hint: String? {
    signature == nil ? "--signature names a signature that lies elsewhere" : nil
  }
}
