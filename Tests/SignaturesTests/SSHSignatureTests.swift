import Files
import TestSupport
import Testing

@testable import Signatures

/// The vector's namespace, signature and key.
private let vectorNamespace = "release@swiftmodels.example"
private let vectorSignature = hex(
  "da647d4968497747450338da57b61ca077836b0b6c26eb362c1328332fd2a3d0"
    + "12997c1f27b94e2c5b5acaadd1c6d19584abde9decc807b40b38f28e8d714502")
private let vectorMessage = Array(String(repeating: "hello package\n", count: 1000).utf8)

@Suite struct SSHSignatureTests {
  private func vector() throws -> SSHSignature {
    let signer = try KeyFile(secret(KeyParts().text), mode: 0o600, path: "vector")
    return try SSHSignature(
      of: vectorMessage, origin: "m", namespace: vectorNamespace, by: signer)
  }

  @Test func signsAsThePublishedVector() throws {
    let signature = try vector()
    #expect(signature.key.bytes == KeyParts.vectorKey)
    #expect(signature.signature == vectorSignature)
    #expect(signature.blob.count == 170 + vectorNamespace.utf8.count)
  }

  @Test func armourHasLinesOfSeventy() throws {
    let lines = String(decoding: try vector().armoured, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "-----BEGIN SSH SIGNATURE-----")
    #expect(lines.suffix(2) == ["-----END SSH SIGNATURE-----", ""])
    #expect(lines.dropFirst().dropLast(3).allSatisfy { $0.utf8.count == 70 })
  }

  @Test func readsWhatItWrites() throws {
    let signature = try vector()
    let read = try SSHSignature(armoured: signature.armoured, origin: "s")
    #expect(read.armoured == signature.armoured)
    #expect(read.namespace == vectorNamespace)
    #expect(read.hash == .sha512)
    #expect(read.isMade(for: HashAlgorithm.sha512.digest(of: vectorMessage)))
  }

  @Test(arguments: [0, 1, 1 << 20, (1 << 20) + 1])
  func aFileIsSignedLikeItsBytes(_ byteCount: Int) throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let bytes = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let path = try scratch.writePrivate("m", bytes)
    let signer = try KeyParts.signer(1)
    let ofFile = try SSHSignature(
      of: FileDigests(of: try MappedFile(path: path)),
      sha256: HexText.text(HashAlgorithm.sha256.digest(of: bytes)),
      namespace: "n", by: signer)
    let ofBytes = try SSHSignature(of: bytes, origin: path, namespace: "n", by: signer)
    #expect(ofFile.armoured == ofBytes.armoured)
  }

  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    let fault: String
    let armoured: @Sendable ([UInt8]) -> [UInt8]

    /// Damage of the text.
    init(_ name: String, _ fault: String, text: @escaping @Sendable (String) -> String) {
      testDescription = name
      self.fault = fault
      armoured = { Array(text(String(decoding: $0, as: UTF8.self)).utf8) }
    }

    /// A blob of other parts.
    init(_ name: String, _ fault: String, blob: @escaping @Sendable (inout BlobParts) -> Void) {
      testDescription = name
      self.fault = fault
      armoured = { _ in
        var parts = BlobParts()
        blob(&parts)
        return Armour.encode(parts.bytes, label: "SSH SIGNATURE")
      }
    }
  }

  static let damages: [Damage] = [
    Damage("empty", "does not begin with '-----BEGIN SSH SIGNATURE-----'") { _ in "" },
    Damage("another armour", "does not begin with '-----BEGIN SSH SIGNATURE-----'") {
      $0.replacing("SSH SIGNATURE", with: "PGP SIGNATURE")
    },
    Damage("text before", "does not begin with '-----BEGIN SSH SIGNATURE-----'") { "\n" + $0 },
    Damage("CRLF", "its first line does not end in a newline alone") {
      $0.replacing("\n", with: "\r\n")
    },
    Damage("no end", "the line '-----END SSH SIGNATURE-----' is missing") {
      $0.replacing("-----END", with: "----END")
    },
    Damage("no line at all", "the line '-----END SSH SIGNATURE-----' is missing") { _ in
      "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n"
    },
    Damage("other digits", "is no base64 between its first and its last line") {
      $0.replacing("U1NI", with: "U1N!")
    },
    Damage("empty body", "the signature ends too early") { _ in
      "-----BEGIN SSH SIGNATURE-----\n\n-----END SSH SIGNATURE-----\n"
    },
    Damage("truncated", "the signature ends too early") { text in
      text.replacing(/.{4}\n-----END/, with: "\n-----END")
    },
    Damage("another start", "holds no SSH signature") { $0.magic = "SSHSIH" },
    Damage("version 2", "is of version 2, known is 1") { $0.version = 2 },
    Damage("bytes behind", "1 bytes follow the signature") { $0.trailing = [0] },
    Damage("hash", "is made over the hash 'sha1', known are sha256 and sha512") {
      $0.hash = "sha1"
    },
    Damage("namespace", "its namespace is empty or no text") { $0.namespace = [] },
    Damage("bytes as namespace", "its namespace is empty or no text") { $0.namespace = [0xFF] },
    Damage(
      "RSA key", "is made by a key of type 'ssh-rsa'; only ssh-ed25519 is supported"
    ) { $0.keyType = "ssh-rsa" },
    Damage("short key", "its public key is damaged") { $0.key.removeLast() },
    Damage(
      "type of signature", "its signature is of type 'ssh-rsa', its key of ssh-ed25519"
    ) { $0.signatureType = "ssh-rsa" },
    Damage("short signature", "its Ed25519 signature has 63 bytes, expected 64") {
      $0.signature.removeLast()
    },
    Damage("long signature", "its Ed25519 signature has 65 bytes, expected 64") {
      $0.signature.append(0)
    },
  ]

  @Test(arguments: damages) func refuses(_ damage: Damage) throws {
    let text = damage.armoured(try vector().armoured)
    #expect(throws: SignatureError.malformed(origin: "s", fault: damage.fault)) {
      try SSHSignature(armoured: text, origin: "s")
    }
  }

  /// Every prefix of a signature is refused, and no length of one traps.
  @Test func everyTruncationIsRefused() throws {
    let text = try vector().armoured
    for count in 0..<(text.count - 1) {
      #expect(throws: SignatureError.self) {
        try SSHSignature(armoured: Array(text.prefix(count)), origin: "s")
      }
    }
    let blob = try vector().blob
    for count in 0..<blob.count {
      #expect(throws: SignatureError.self) {
        try SSHSignature(
          armoured: Armour.encode(Array(blob.prefix(count)), label: "SSH SIGNATURE"), origin: "s")
      }
    }
  }

  /// No bit of the blob can change without the signature being refused or saying something else.
  @Test func everyFlippedBitIsNoticed() throws {
    let blob = try vector().blob
    let digest = HashAlgorithm.sha512.digest(of: vectorMessage)
    for bit in 0..<(blob.count * 8) {
      var changed = blob
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let read = try? SSHSignature(
        armoured: Armour.encode(changed, label: "SSH SIGNATURE"), origin: "s")
      guard let read, read.namespace == vectorNamespace else { continue }
      // The version is not signed: OpenSSH takes 0 for 1.
      let isVersion = (6..<10).contains(bit / 8)
      #expect(isVersion || !read.isMade(for: digest), "bit \(bit)")
    }
  }
}

/// A blob made part by part.
struct BlobParts {
  var magic = "SSHSIG"
  var version = 1
  var keyType = "ssh-ed25519"
  var key = KeyParts.vectorKey
  var namespace = Array("n".utf8)
  var reserved: [UInt8] = []
  var hash = "sha512"
  var signatureType = "ssh-ed25519"
  var signature: [UInt8] = Array(repeating: 0, count: 64)
  var trailing: [UInt8] = []

  var bytes: [UInt8] {
    var keyBlob = SSHWriter()
    keyBlob.string(keyType)
    keyBlob.string(key)
    var signed = SSHWriter()
    signed.string(signatureType)
    signed.string(signature)
    var writer = SSHWriter(magic)
    writer.number(version)
    writer.string(keyBlob.bytes)
    writer.string(namespace)
    writer.string(reserved)
    writer.string(hash)
    writer.string(signed.bytes)
    return writer.bytes + trailing
  }
}
