import Files
import Foundation
import TestSupport
import Testing

@testable import Signatures

@Suite struct KeyFileTests {
  func key(_ parts: KeyParts, mode: Int = 0o600) throws -> KeyFile {
    try KeyFile(secret(parts.text), mode: mode, path: "keys/release")
  }

  @Test func readsAKeyMadeByHand() throws {
    #expect(KeyParts().blob.count == 234)
    #expect(try key(KeyParts()).publicKey.bytes == KeyParts.vectorKey)
  }

  /// Each length of a comment leaves another padding.
  @Test(arguments: 0..<17) func readsEveryPadding(_ length: Int) throws {
    var parts = KeyParts()
    parts.comment = String(repeating: "c", count: length)
    #expect(try key(parts).publicKey.bytes == KeyParts.vectorKey)
  }

  @Test(arguments: faults) func refuses(_ fault: Fault) throws {
    var parts = KeyParts()
    fault.change(&parts)
    #expect(
      throws: SignatureError.unusableKey(
        path: "keys/release", fault: fault.fault, hint: fault.hint)
    ) { try key(parts) }
  }

  @Test(arguments: [
    ("", "does not begin with '-----BEGIN OPENSSH PRIVATE KEY-----'"),
    ("ssh-ed25519 AAAA", "does not begin with '-----BEGIN OPENSSH PRIVATE KEY-----'"),
    ("-----BEGIN RSA PRIVATE KEY-----\n", "begins with '-----BEGIN RSA PRIVATE KEY-----'"),
    ("-----BEGIN PRIVATE KEY-----\nx", "begins with '-----BEGIN PRIVATE KEY-----'"),
    (
      "-----BEGIN OPENSSH PRIVATE KEY-----\nAA",
      "the line '-----END OPENSSH PRIVATE KEY-----' is missing"
    ),
  ]) func refusesOtherFormats(_ text: String, _ words: String) throws {
    #expect(
      throws: SignatureError.unusableKey(
        path: "k", fault: "is no key file of OpenSSH: \(words)", hint: Fault.another)
    ) { try KeyFile(secret(Array(text.utf8)), mode: 0o600, path: "k") }
  }

  @Test func everyTruncationIsRefused() throws {
    let (text, blob) = (KeyParts().text, KeyParts().blob)
    for count in 0..<(text.count - 1) {
      #expect(throws: SignatureError.self) {
        try KeyFile(secret(Array(text.prefix(count))), mode: 0o600, path: "k")
      }
    }
    for count in 0..<blob.count {
      let part = Armour.encode(Array(blob.prefix(count)), label: KeyFile.label)
      #expect(throws: SignatureError.self) {
        try KeyFile(secret(part), mode: 0o600, path: "k")
      }
    }
  }

  @Test(arguments: [0o644, 0o640, 0o604, 0o601, 0o610, 0o666, 0o777])
  func refusesOpenPermissions(_ mode: Int) throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let path = try scratch.writePrivate("k", KeyParts().text, mode: mode)
    let error = SignatureError.unusableKey(
      path: path,
      fault:
        "others than its owner may use the private key, its mode is 0\(String(mode, radix: 8))",
      hint: "take the rights away with 'chmod 600 \(path)'")
    #expect(throws: error) { try KeyFile(path: path) }
    #expect("\(error)".hasPrefix(path))
  }

  @Test(arguments: [0o600, 0o400, 0o700]) func takesClosedPermissions(_ mode: Int) throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let path = try scratch.writePrivate("k", KeyParts().text, mode: mode)
    #expect(try KeyFile(path: path).publicKey.bytes == KeyParts.vectorKey)
  }

  @Test func refusesWhatIsNoSmallFile() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    #expect(throws: SignatureError.unreadable(.notAFile(path: scratch.path, found: "a folder"))) {
      try KeyFile(path: scratch.path)
    }
    let large = try scratch.writePrivate(
      "large", Array(repeating: 65, count: KeyFile.sizeLimit + 1))
    #expect(
      throws: SignatureError.unreadable(
        .tooLarge(path: large, bytes: KeyFile.sizeLimit + 1, limit: KeyFile.sizeLimit))
    ) { try KeyFile(path: large) }
  }

  @Test(.enabled(if: Tool.hasOpenSSH, Tool.needsOpenSSH)) func readsKeysOfSSHKeygen() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    for comment in ["", "release@example.com"] {
      try Tool.succeed(
        "ssh-keygen -q -t ed25519 -N '' -C '\(comment)' -f k\(comment)", in: scratch.path)
      let key = try KeyFile(path: scratch.path("k\(comment)"))
      let publicKey = try PublicKeyFile(path: scratch.path("k\(comment).pub")).key
      #expect(key.publicKey == publicKey)
      let shown = try Tool.succeed("ssh-keygen -l -f k\(comment).pub", in: scratch.path)
      #expect(shown.contains(" \(publicKey.fingerprint) "))
    }
  }

  @Test(.enabled(if: Tool.hasOpenSSH, Tool.needsOpenSSH)) func sshKeygenReadsKeysMadeByHand() throws
  {
    let scratch = try TemporaryFolder(in: "/tmp")
    try scratch.writePrivate("k", KeyParts().text)
    let line = try Tool.succeed("ssh-keygen -y -f k", in: scratch.path)
    #expect(line == (try KeyFile(path: scratch.path("k")).publicKey.line) + "\n")
  }

  @Test(
    .enabled(if: Tool.hasOpenSSH, Tool.needsOpenSSH),
    arguments: [
      ("-t ed25519 -N secret", "the key is encrypted ('aes256-ctr')"),
      ("-t rsa -b 2048 -N ''", "is of type 'ssh-rsa'; only ssh-ed25519 is supported"),
      ("-t ecdsa -N ''", "is of type 'ecdsa-sha2-nistp256'; only ssh-ed25519 is supported"),
      (
        "-t rsa -b 2048 -N '' -m PEM",
        "is no key file of OpenSSH: begins with '-----BEGIN RSA PRIVATE KEY-----'"
      ),
    ])
  func namesWhatOtherKeysAre(_ flags: String, _ fault: String) throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    try Tool.succeed("ssh-keygen -q \(flags) -f k", in: scratch.path)
    let error = try #require(throws: SignatureError.self) {
      try KeyFile(path: scratch.path("k"))
    }
    #expect(error.description == "\(scratch.path("k")): \(fault)")
  }

  /// Nothing that Swift offers for looking into a value shows a byte of the seed.
  @Test func nothingShowsTheSeed() throws {
    let seed = Array(UInt8(0xA0)..<0xC0)
    var parts = KeyParts()
    parts.seed = seed
    parts.publicKey = hex("4fd099ccd47d7893dfe9ec24414ecb0d9b5420232aad30d91c465be33cbe65c4")
    let key = try KeyFile(secret(parts.text), mode: 0o600, path: "k")
    var dumped = ""
    dump(key, to: &dumped)
    var dumpedAsSigner = ""
    dump([key as any Signer], to: &dumpedAsSigner)
    let shown = [
      "\(key)", String(describing: key), String(reflecting: key), dumped, dumpedAsSigner,
      "\(Optional(key) as Any)", String(reflecting: [key]), "\((key, 1))",
      "\(Mirror(reflecting: key).children.map { "\($0)" })",
    ]
    #expect(Mirror(reflecting: key).children.map(\.label) == ["publicKey"])
    let traces = [
      hexText(seed), hexText(Array(seed.prefix(4))), Base64.encode(seed).dropLast(2).description,
      "160, 161, 162", "a0, a1", "rawRepresentation", "SecureBytes", "seed",
    ]
    for text in shown {
      for trace in traces { #expect(!text.lowercased().contains(trace.lowercased()), "\(text)") }
      #expect(text.contains("SHA256:"))
    }
  }

  /// A damaged file's error tells no byte of it.
  @Test(arguments: faults) func noErrorShowsTheSeed(_ fault: Fault) throws {
    var parts = KeyParts()
    fault.change(&parts)
    let error = try #require(throws: SignatureError.self) { try key(parts) }
    var dumped = ""
    dump(error, to: &dumped)
    let text = String(decoding: parts.text, as: UTF8.self).split(separator: "\n")[2]
    for shown in ["\(error)", String(reflecting: error), dumped, error.hint ?? ""] {
      #expect(!shown.contains(hexText(Array(parts.seed.prefix(8)))))
      #expect(!shown.contains("1, 2, 3, 4"))
      #expect(!shown.contains(text))
    }
  }

  private func hexText(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }
}
