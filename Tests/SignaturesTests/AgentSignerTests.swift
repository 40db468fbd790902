import Foundation
import TestSupport
import Testing

@testable import Signatures

@Suite struct AgentSignerTests {
  private static let start =
    #"start one with 'eval "$(ssh-agent)"', then hand it the key with 'ssh-add KEY'"#

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    /// `PATH` is the socket.
    let fault: String
    let answers: [[UInt8]?]

    init(_ name: String, _ fault: String, _ answers: [UInt8]?...) {
      testDescription = name
      self.fault = fault
      self.answers = answers
    }
  }

  private static func message(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
    var writer = SSHWriter()
    writer.string([type] + content)
    return writer.bytes
  }

  /// The answer of an agent that holds the key of the vector.
  private static let keys: [UInt8] = {
    var writer = SSHWriter()
    writer.number(1)
    writer.string(PublicKey(bytes: KeyParts.vectorKey)?.blob ?? [])
    writer.string("comment")
    return message(12, writer.bytes)
  }()

  private static func signature(_ type: String, _ bytes: [UInt8]) -> [UInt8] {
    var inner = SSHWriter()
    inner.string(type)
    inner.string(bytes)
    var writer = SSHWriter()
    writer.string(inner.bytes)
    return message(14, writer.bytes)
  }

  static let cases: [Case] = [
    Case("closes", "PATH: cannot receive: the other side closed the connection", []),
    Case("half a length", "PATH: cannot receive: the other side closed the connection", [0, 0]),
    Case(
      "half an answer", "PATH: cannot receive: the other side closed the connection",
      [
        0, 0, 0, 9, 12, 0,
      ]),
    Case("silent", "PATH: cannot receive: no answer in time", nil),
    Case("nothing", "PATH: cannot receive: an answer of 0 bytes", [0, 0, 0, 0]),
    Case("too much", "PATH: cannot receive: an answer of 262145 bytes", [0, 4, 0, 1, 12]),
    Case(
      "far too much", "PATH: cannot receive: an answer of 4294967295 bytes",
      [
        255, 255, 255, 255,
      ]),
    Case("fails", "refused to do it", message(5, [])),
    Case("another answer", "gave an answer of type 6", message(6, [])),
    Case("too many keys", "gave a malformed answer", message(12, [255, 255, 255, 255])),
    Case("fewer keys than said", "gave a malformed answer", message(12, [0, 0, 0, 1])),
    Case("bytes behind", "gave a malformed answer", message(12, [0, 0, 0, 0, 0])),
    Case(
      "no key",
      "does not hold the key SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg among its 0",
      message(12, [0, 0, 0, 0])),
    Case("refuses to sign", "refused to do it", keys, message(5, [])),
    Case("another signature", "gave a malformed answer", keys, signature("ssh-rsa", [1, 2])),
    Case(
      "a wrong signature",
      "gave a signature that the key SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg did not make",
      keys, signature("ssh-ed25519", Array(repeating: 1, count: 64))),
    Case(
      "a short signature",
      "gave a signature that the key SHA256:lbmsoA0yIEcEiVDRnMWuzm+nV+3ZEEpVIURqFoeSspg did not make",
      keys, signature("ssh-ed25519", [])),
  ]

  @Test(arguments: cases) func doesNotTrustTheAgent(_ test: Case) throws {
    // Where an answer comes it is waited for; where none will come, not for long. The request may
    // itself come too late on a slow machine; it is made again then, and given more time.
    var seconds = test.answers.contains(nil) ? 0.1 : 3600
    var fault: (path: String, error: SignatureError)
    repeat {
      fault = try refusal(test.answers, seconds: seconds)
      seconds *= 2
    } while fault.error.description.hasSuffix("cannot send: no answer in time")
    let words = test.fault.replacing("PATH", with: fault.path)
    #expect(fault.error.description == "ssh-agent: \(words)")
    #expect(fault.error.hint?.isEmpty == false)
  }

  /// How signing fails where an agent gives these answers; and the path of its socket.
  private func refusal(
    _ answers: [[UInt8]?], seconds: Double
  ) throws -> (path: String, error: SignatureError) {
    let scratch = try TemporaryFolder(in: "/tmp")
    let agent = try FakeAgent(path: scratch.path("agent"), answers: answers)
    let key = try #require(PublicKey(bytes: KeyParts.vectorKey))
    let patience = AgentConnection.Patience(listing: seconds, signing: seconds)
    let error = try #require(throws: SignatureError.self) {
      _ = try AgentSigner(key: key, path: agent.path, patience: patience).sign([1, 2, 3])
    }
    return (agent.path, error)
  }

  @Test func saysThatThereIsNone() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let path = scratch.path("gone")
    let key = try #require(PublicKey(bytes: KeyParts.vectorKey))
    #expect(
      throws: SignatureError.agent(
        fault: "\(path): cannot connect: no such file or directory", hint: Self.start)
    ) { try AgentSigner(key: key, path: path) }
    let long = "/tmp/" + String(repeating: "a", count: 120)
    #expect(
      throws: SignatureError.agent(
        fault: "\(long): cannot connect: file name too long", hint: Self.start)
    ) { try AgentSigner(key: key, path: long) }
  }

  @Test(.enabled(if: Tool.hasOpenSSH, Tool.needsOpenSSH))
  func signsThroughSSHAgent() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let agent = try RunningAgent(in: scratch)
    try Tool.succeed("ssh-keygen -q -t ed25519 -N '' -f k", in: scratch.path)
    let key = try PublicKeyFile(path: scratch.path("k.pub")).key
    #expect(throws: SignatureError.self) { try AgentSigner(key: key, path: agent.path) }
    try agent.add("k")
    let byAgent = try AgentSigner(key: key, path: agent.path)
    let byFile = try KeyFile(path: scratch.path("k"))
    #expect(try byAgent.sign([1, 2, 3]) == byFile.sign([1, 2, 3]))
  }

  @Test(.enabled(if: Tool.hasOpenSSH, Tool.needsOpenSSH))
  func saysThatALockedAgentHoldsNothing() throws {
    let scratch = try TemporaryFolder(in: "/tmp")
    let agent = try RunningAgent(in: scratch)
    try Tool.succeed("ssh-keygen -q -t ed25519 -N '' -f k", in: scratch.path)
    try agent.add("k")
    let key = try PublicKeyFile(path: scratch.path("k.pub")).key
    let signer = try AgentSigner(key: key, path: agent.path)
    try agent.run("ssh-add -q -D")
    let error = try #require(throws: SignatureError.self) { try signer.sign([1]) }
    #expect(error.description == "ssh-agent: refused to do it")
  }
}

/// OpenSSH's own agent, ended with the test.
final class RunningAgent {
  let path: String
  private let folder: String
  private let process = Process()

  init(in scratch: TemporaryFolder) throws {
    path = scratch.path("agent")
    folder = scratch.path
    // In the foreground: Foundation waits for whoever holds what a child was given.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ssh-agent", "-D", "-a", path]
    process.standardError = FileHandle.nullDevice
    let said = Pipe()
    process.standardOutput = said
    try process.run()
    // It says where it listens once it does; nothing comes when it has ended.
    guard try said.fileHandleForReading.read(upToCount: 1)?.isEmpty == false else {
      throw NotStarted()
    }
  }

  struct NotStarted: Error {}

  // Foundation starts children with gentler signals blocked.
  deinit { kill(process.processIdentifier, SIGKILL) }

  /// Hands the agent a key file.
  func add(_ key: String) throws { try run("ssh-add -q \(key)") }

  /// Runs a line with this agent.
  func run(_ script: String) throws {
    try Tool.succeed("export SSH_AUTH_SOCK='\(path)'; \(script)", in: folder)
  }
}
