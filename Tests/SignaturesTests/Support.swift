import Foundation
import TestSupport
import Testing

@testable import Files
@testable import Signatures

extension TemporaryFolder {
  /// Writes a file that nobody but its owner may read, as keys lie.
  @discardableResult
  func writePrivate(_ name: String, _ bytes: [UInt8], mode: Int = 0o600) throws -> String {
    try write(name, bytes, mode: mode)
  }

  @discardableResult
  func writePrivate(_ name: String, _ text: String, mode: Int = 0o600) throws -> String {
    try write(name, text, mode: mode)
  }
}

/// A program of the system, run to its end.
struct Tool {
  let status: Int32
  let output: String
  let errors: String

  /// Runs a line of bash in a folder; `$1`, `$2`, … are the arguments.
  static func run(
    _ script: String, _ arguments: [String] = [], in folder: String,
    environment: [String: String] = [:]
  ) throws -> Tool {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script, "bash"] + arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    // Files, no pipes: an agent that stays would keep the other end of one open.
    let (output, errors) = (scratchFile(in: folder), scratchFile(in: folder))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return Tool(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  private static func scratchFile(in folder: String) -> URL {
    URL(filePath: "\(folder)/.said-\(UUID().uuidString)")
  }

  /// Runs a line that must succeed.
  @discardableResult
  static func succeed(_ script: String, in folder: String) throws -> String {
    let run = try run(script, in: folder)
    guard run.status == 0 else { throw Failed(script: script, errors: run.errors) }
    return run.output
  }

  struct Failed: Error {
    let script: String
    let errors: String
  }

  /// Whether OpenSSH's programs are there.
  static let hasOpenSSH = ["ssh-keygen", "ssh-agent", "ssh-add"].allSatisfy { name in
    ["/usr/bin", "/bin", "/usr/local/bin"].contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
    }
  }

  static let needsOpenSSH: Comment = "ssh-keygen, ssh-agent and ssh-add are needed"
}

/// Keys made by hand, byte by byte, so that tests can damage them.
struct KeyParts {
  /// Of the published vector: bytes 0 to 31.
  var seed = Array(UInt8(0)..<32)
  var publicKey = KeyParts.vectorKey
  var magic = "openssh-key-v1\u{0}"
  var cipher = "none"
  var derivation = "none"
  var options: [UInt8] = []
  var count = 1
  var type = "ssh-ed25519"
  var privateType = "ssh-ed25519"
  var checkWords = (7, 7)
  var privatePublicKey: [UInt8]?
  var pairPublicKey: [UInt8]?
  var comment = ""
  var padding: [UInt8]?
  var trailing: [UInt8] = []

  static let vectorKey = hex("03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8")

  var blob: [UInt8] {
    var publicBlob = SSHWriter()
    publicBlob.string(type)
    publicBlob.string(publicKey)
    var secret = SSHWriter()
    secret.number(checkWords.0)
    secret.number(checkWords.1)
    secret.string(privateType)
    secret.string(privatePublicKey ?? publicKey)
    secret.string(seed + (pairPublicKey ?? publicKey))
    secret.string(comment)
    let missing = (8 - secret.bytes.count % 8) % 8
    var writer = SSHWriter(magic)
    writer.string(cipher)
    writer.string(derivation)
    writer.string(options)
    writer.number(count)
    writer.string(publicBlob.bytes)
    writer.string(secret.bytes + (padding ?? (1...8).prefix(missing).map(UInt8.init)))
    return writer.bytes + trailing
  }

  var text: [UInt8] { Armour.encode(blob, label: "OPENSSH PRIVATE KEY") }

  /// The key whose seed is this byte 32 times.
  static func signer(_ byte: UInt8) throws -> TestSigner { try TestSigner(seed: byte) }
}

/// Signs with a seed in memory, without a file.
struct TestSigner: Signer {
  private let file: KeyFile
  let text: [UInt8]

  /// Public keys of seeds, by openssl.
  private static let publicKeys: [UInt8: String] = [
    1: "8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c",
    2: "8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394",
  ]

  init(seed byte: UInt8) throws {
    var parts = KeyParts()
    parts.seed = Array(repeating: byte, count: 32)
    parts.publicKey = hex(try #require(TestSigner.publicKeys[byte]))
    text = parts.text
    file = try KeyFile(secret(text), mode: 0o600, path: "seed")
  }

  var publicKey: PublicKey { file.publicKey }
  func sign(_ bytes: [UInt8]) throws(SignatureError) -> [UInt8] { try file.sign(bytes) }
}

/// Some bytes as a secret.
func secret(_ bytes: [UInt8]) -> SecretBytes {
  var secret = SecretBytes(count: bytes.count)
  for (offset, byte) in bytes.enumerated() { secret.set(byte, at: offset) }
  return secret
}

/// The bytes of hexadecimal digits.
func hex(_ text: String) -> [UInt8] {
  stride(from: 0, to: text.count, by: 2).compactMap {
    UInt8(text.dropFirst($0).prefix(2), radix: 16)
  }
}
