import Testing

@testable import Signatures

/// Every case is judged by our verifier and by `ssh-keygen -Y verify`, and both must say the same.
@Suite(.enabled(if: Tool.hasOpenSSH, Tool.needsOpenSSH))
struct SignatureAgreementTests {
  /// The files to verify: a file `m`, its signature `m.sig`, a list `signers`.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let isAccepted: Bool
    /// `KEY` is the signer's line, `OTHER` another key's, `RSA` that of an RSA key.
    var list = "a@x KEY"
    var identity = "a@x"
    var namespace = "package@ingot.dev"
    /// A line of bash that runs in a folder with `m`, `m.sig` and the signer's key `k`.
    var change = ":"
    /// Another signature, made of the bytes of the good one.
    var signature: (@Sendable ([UInt8]) -> [UInt8])?

    init(
      _ name: String, _ isAccepted: Bool, list: String = "a@x KEY", identity: String = "a@x",
      namespace: String = "package@ingot.dev", change: String = ":",
      signature: (@Sendable ([UInt8]) -> [UInt8])? = nil
    ) {
      testDescription = name
      self.isAccepted = isAccepted
      self.list = list
      self.identity = identity
      self.namespace = namespace
      self.change = change
      self.signature = signature
    }
  }

  @Test func casesAreMany() {
    let cases = Self.files + Self.armours + Self.blobs + Self.lists + Self.times
    #expect(cases.count >= 110)
    #expect(Set(cases.map(\.testDescription)).count == cases.count)
    #expect(cases.contains { $0.isAccepted } && cases.contains { !$0.isAccepted })
  }

  @Test(arguments: files + armours) func agreeOnFilesAndArmours(_ test: Case) throws {
    try check(test)
  }

  @Test(arguments: blobs + lists) func agreeOnBlobsAndLists(_ test: Case) throws {
    try check(test)
  }

  /// Local times are in `VerifySignatureTests`: they are those of a process.
  @Test(arguments: times) func agreeOnTimes(_ test: Case) throws { try check(test) }

  @Test(arguments: differences) func refusesMore(_ test: Case) throws {
    let bench = try Bench()
    try bench.prepare(test)
    #expect(try bench.verdictOfSSHKeygen(test))
    #expect(bench.verdict(test) != nil)
  }

  private func check(_ test: Case) throws {
    let bench = try Bench()
    try bench.prepare(test)
    let theirs = try bench.verdictOfSSHKeygen(test)
    let ours = bench.verdict(test)
    #expect(theirs == test.isAccepted, "ssh-keygen")
    #expect((ours == nil) == test.isAccepted, "\(ours.map { "\($0)" } ?? "accepted")")
  }
}
