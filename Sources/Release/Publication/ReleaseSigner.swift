import Files
import Gate
import Packaging
import Project
import Signatures
import StrictJSON
import Weights

/// Signs the results of a build with the one key of the project.
struct ReleaseSigner: Sendable {
  /// A file beside an archive that proves its origin: the signature or the provenance.
  struct Attestation {
    /// The suffix to the archive's name.
    let suffix: String
    let bytes: [UInt8]

    var digest: ContentDigest { ContentDigest(of: bytes) }
  }

  /// The suffixes of signature and provenance.
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
    self.project = project.digest
  }

  /// Makes an archive's signature, and the statement of how it was made in a signed envelope.
  ///
  /// The archive was verified a while ago; whatever is at its path now, only the very bytes that
  /// were verified are signed.
  ///
  /// - Parameters:
  ///   - known: digests that were made of it as it was verified; nil to read it again.
  ///   - name: the name the archive will have.
  ///   - receipts: by their paths in the archive.
  func attestations(
    for archive: VerifiedPackage, _ known: FileDigests? = nil, named name: String,
    _ receipts: [PackagePath: RecordedReceipt]
  ) throws -> [Attestation] {
    let digests = try known ?? FileDigests(of: try MappedFile(path: archive.path))
    let signature = try SSHSignature(
      of: digests, sha256: archive.sha256.hex, namespace: SignatureNamespace.package, by: signer)
    let statement = ProvenanceStatement(
      .init(
        name: name, sha256: archive.sha256, sha512: digests.sha512, tarSHA256: archive.tarSHA256),
      archive.manifest, receipts: receipts, project: project)
    let envelope = try Envelope(
      payload: statement.bytes, type: AttestedSubjects.payloadType, origin: archive.path,
      by: signer)
    return [
      Attestation(suffix: SSHSignature.suffix, bytes: signature.armoured),
      Attestation(suffix: AttestedSubjects.suffix, bytes: envelope.json),
    ]
  }

  /// The digests of the signature and the provenance beside an archive, by suffix; nil if one is
  /// missing, unreadable or larger than any.
  static func attestations(beside path: String) -> [String: ContentDigest]? {
    var digests: [String: ContentDigest] = [:]
    for suffix in suffixes {
      guard let bytes = try? MappedFile.contents(of: path + suffix, limit: Envelope.sizeLimit)
      else {
        return nil
      }
      digests[suffix] = ContentDigest(of: bytes)
    }
    return digests
  }

  /// Whether this very key has stated what the archive of an entry is, under its own name, and its
  /// signature of it is beside it. The index's word on the signature is not believed.
  ///
  /// - Parameter entry: its archive is there with the digest that the entry says.
  func hasVouched(for entry: ReleaseIndex.Entry, at path: String) -> Bool {
    let (digest, name) = (entry.sha256.hex, Folder.name(of: path))
    guard entry.signer == key,
      let envelope = try? Envelope(path: path + AttestedSubjects.suffix),
      let statement = envelope.payload(signedBy: signer.publicKey),
      let subjects = try? AttestedSubjects(statement, origin: path),
      subjects.contains(sha256: digest, named: name),
      let signature = try? SSHSignature(path: path + SSHSignature.suffix),
      signature.key == signer.publicKey
    else { return false }
    return isMade(signature, of: path, sha512: subjects.sha512(ofSHA256: digest, named: name))
  }

  /// Whether a signature is one of an archive. To hash that again takes longer than all else that an
  /// unchanged build does, so what this key states of its very bytes is taken, where it does.
  private func isMade(_ signature: SSHSignature, of path: String, sha512: [UInt8]?) -> Bool {
    let known = sha512.flatMap { digest in
      signature.isMade(ofSHA512: digest, for: SignatureNamespace.package)
    }
    if let known { return known }
    guard let archive = try? MappedFile(path: path) else { return false }
    return signature.isMade(of: archive, for: SignatureNamespace.package)
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
