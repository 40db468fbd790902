import ArgumentParser
import Files
import Signatures

/// Who must have signed.
struct SignerFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Who may sign, as ssh-keygen's list of allowed signers; without it no signature is checked.",
      valueName: "file"))
  var allowedSigners: String?

  @Option(
    help: ArgumentHelp("Who of that list must have signed; anyone without.", valueName: "name"))
  var identity: String?

  func validate() throws {
    if allowedSigners == nil, identity != nil {
      throw ValidationError("--identity needs --allowed-signers")
    }
  }

  /// Who may sign; nil without a list. A line that permits no one is warned of.
  func signers(_ console: Console) throws -> AllowedSigners? {
    guard let allowedSigners else { return nil }
    let signers = try AllowedSigners(path: allowedSigners)
    for fault in signers.faults { console.warn("\(fault); the line lets nobody sign") }
    return signers
  }

  /// Checks the signature of a list of digests.
  ///
  /// - Parameters:
  ///   - bytes: its content, as read for what else is done with it.
  ///   - place: path of the signature; beside the list when nil.
  ///   - hint: the way out where there is no signature.
  /// - Returns: who signed.
  func signer(
    ofSums bytes: [UInt8], path: String, by signers: AllowedSigners, at place: String? = nil,
    hint: String? = nil
  ) throws -> Principal {
    try Self.verified {
      try signers.verify(
        try Self.signature(of: path, at: place, hint), of: bytes, origin: path,
        namespace: SignatureNamespace.sums, identity: identity, at: System.secondsSince1970)
    }
  }

  /// Checks the signature of an archive, as `signer(ofSums:path:by:at:)`.
  func signer(
    of archive: MappedFile, by signers: AllowedSigners, at place: String? = nil,
    hint: String? = nil
  ) throws -> Principal {
    try Self.verified {
      try signers.verify(
        try Self.signature(of: archive.path, at: place, hint), of: archive,
        namespace: SignatureNamespace.package, identity: identity, at: System.secondsSince1970)
    }
  }

  private static func signature(
    of path: String, at place: String?, _ hint: String?
  ) throws -> SSHSignature {
    let own = place ?? path + SSHSignature.suffix
    guard Folder.kind(of: own) != .missing else {
      throw Failure(
        message: "\(path): is not signed, '\(own)' is not there",
        hint: hint,
        status: .verificationFailed)
    }
    return try SSHSignature(path: own)
  }

  /// Runs a check; what it refuses ends the command with the status of a failed verification.
  static func verified<Result>(_ check: () throws -> Result) throws -> Result {
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
