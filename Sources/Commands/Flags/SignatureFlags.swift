import ArgumentParser
import Files
import Packaging
import Signatures
import Weights

/// Who must have signed a verified file.
struct SignatureFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who may sign, as ssh-keygen's list of allowed signers; without it no signature is checked.",
      valueName: "file"))
  var allowedSigners: String?

  @Option(
    help: ArgumentHelp("Who of that list must have signed; anyone without.", valueName: "name"))
  var identity: String?

  @Option(help: ArgumentHelp("The signature; FILE.sig without.", valueName: "file"))
  var signature: String?

  @Flag(help: "Refuse an archive without provenance (FILE.intoto.jsonl).")
  var requireProvenance = false

  func validate() throws {
    guard allowedSigners == nil else { return }
    if requireProvenance {
      throw ValidationError("--require-provenance needs --allowed-signers")
    }
    for (flag, value) in [("--identity", identity), ("--signature", signature)] where value != nil {
      throw ValidationError("\(flag) needs --allowed-signers")
    }
  }

  /// Checks the signature of an archive, and its provenance if that is beside it.
  func check(_ package: VerifiedPackage, _ console: Console) throws -> SignatureReport {
    guard let signers = try signers(console) else { return Self.unchecked(package.path) }
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
    let now = System.secondsSince1970
    return try verified {
      let signer = try signers.verify(
        try readSignature(of: path, at: place), of: file, namespace: SignatureNamespace.package,
        identity: identity, at: now)
      let envelope = path + AttestedSubjects.suffix
      guard Folder.kind(of: envelope) != .missing else {
        try requireNoProvenance(of: path, envelope)
        return .signed(by: signer, provenance: nil)
      }
      let opened = try Envelope(path: envelope).open(
        by: signers, type: AttestedSubjects.payloadType,
        namespace: SignatureNamespace.provenance, identity: identity, at: now)
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
    return try verified {
      .signedList(
        by: try signers.verify(
          try readSignature(of: path, at: signature), of: bytes, origin: path,
          namespace: SignatureNamespace.sums, identity: identity,
          at: System.secondsSince1970))
    }
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

  /// Who may sign; nil without a list. A line that permits no one is warned of.
  func signers(_ console: Console) throws -> AllowedSigners? {
    guard let allowedSigners else { return nil }
    let signers = try AllowedSigners(path: allowedSigners)
    for fault in signers.faults { console.warn("\(fault); the line lets nobody sign") }
    return signers
  }

  private func readSignature(of path: String, at place: String?) throws -> SSHSignature {
    let place = place ?? path + SSHSignature.suffix
    guard Folder.kind(of: place) != .missing else {
      throw Failure(
        message: "\(path): is not signed, '\(place)' is not there",
        hint: signature == nil ? "--signature names a signature that lies elsewhere" : nil,
        status: .verificationFailed)
    }
    return try SSHSignature(path: place)
  }

  /// Runs a check; what it refuses ends the command with the status of a failed verification.
  private func verified(_ check: () throws -> SignatureReport) throws -> SignatureReport {
    do {
      return try check()
    } catch let error as SignatureError {
      var status = ExitStatus.verificationFailed
      if case .unreadable = error { status = .failed }
      throw Failure(
        message: "\(error)", details: error.details, hint: error.hint, status: status)
    }
  }
}
