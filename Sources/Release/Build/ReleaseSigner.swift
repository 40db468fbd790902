import Evaluation
import Files
import Packaging
import Signatures
import StrictJSON
import Weights

/// Signs what a build makes, with the one key of the project.
struct ReleaseSigner: Sendable {
  /// A file that vouches for an archive and lies beside it.
  struct Voucher {
    /// What follows the archive's name.
    let suffix: String
    let bytes: [UInt8]

    var digest: ContentDigest { ContentDigest(of: bytes) }
  }

  /// Every suffix of what vouches for an archive.
  static let suffixes = [SSHSignature.suffix, AttestedSubjects.suffix]

  private let signer: any Signer
  /// The project file.
  private let project: ContentDigest

  /// The key, as `SHA256:…`.
  var key: String { signer.publicKey.fingerprint }

  /// Opens the key that a project names; nil when it names none.
  init?(_ project: Project) throws {
    guard let sign = project.release.sign else { return nil }
    signer = try SigningKey.open(Folder.join(project.folder, sign.value))
    self.project = ContentDigest(of: try MappedFile(path: project.file))
  }

  /// What vouches for an archive: its signature, and the statement of what it was made of in a signed
  /// envelope.
  ///
  /// The archive was verified a while ago; whatever lies at its path now, nothing but the very bytes
  /// that were verified is signed.
  ///
  /// - Parameters:
  ///   - name: the name the archive will have.
  ///   - receipts: by their paths in the archive.
  func vouchers(
    for archive: VerifiedPackage, named name: String, _ receipts: [PackagePath: RecordedReceipt]
  ) throws -> [Voucher] {
    let signature = try SSHSignature(
      of: try MappedFile(path: archive.path), sha256: archive.sha256.hex,
      namespace: SignatureNamespace.package, by: signer)
    let statement = ProvenanceStatement(
      .init(name: name, sha256: archive.sha256, tarSHA256: archive.tarSHA256),
      archive.manifest, receipts: receipts, project: project)
    let envelope = try Envelope(
      payload: statement.bytes, type: AttestedSubjects.payloadType, origin: archive.path,
      by: signer)
    return [
      Voucher(suffix: SSHSignature.suffix, bytes: signature.armoured),
      Voucher(suffix: AttestedSubjects.suffix, bytes: envelope.json),
    ]
  }

  /// Whether this very key has stated what the archive of an entry is, under its own name, and its
  /// signature of it lies beside it. What the index says of the signature is anyone's word.
  func hasVouched(for entry: ReleaseIndex.Entry, at path: String) -> Bool {
    guard entry.signer == key,
      let signature = try? SSHSignature(path: path + SSHSignature.suffix),
      signature.key == signer.publicKey, let archive = try? MappedFile(path: path),
      signature.isMade(of: archive, for: SignatureNamespace.package),
      let envelope = try? Envelope(path: path + AttestedSubjects.suffix),
      let statement = envelope.payload(signedBy: signer.publicKey),
      let subjects = try? AttestedSubjects(statement, origin: path)
    else { return false }
    return subjects.contains(sha256: entry.sha256.hex, named: Folder.name(of: path))
  }

  /// Whether this very key signed a list of archives.
  func hasSigned(_ sums: [UInt8], _ signature: SSHSignature) -> Bool {
    signature.key == signer.publicKey && signature.isMade(of: sums, for: SignatureNamespace.sums)
  }

  /// The signature of a list of archives.
  func signature(of sums: [UInt8]) throws(SignatureError) -> [UInt8] {
    try SSHSignature(
      of: sums, origin: ReleaseSums.fileName, namespace: SignatureNamespace.sums, by: signer
    ).armoured
  }
}
