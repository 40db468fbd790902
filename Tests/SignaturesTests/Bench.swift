import TestSupport
import Testing

@testable import Files
@testable import Signatures

/// A folder with a signed file, in which a case is judged.
struct Bench {
  let scratch: TemporaryFolder
  private static let agentScript = """
    sign() { ssh-keygen -q -Y sign -f k -n package@ingot.dev "$@" 2>/dev/null; }
    byAgent() {
      eval "$(ssh-agent -a "$PWD/agent")" >/dev/null && ssh-add -q k 2>/dev/null \
        && mv k k.away && sign -f k.pub m; local status=$?
      kill -KILL "$SSH_AGENT_PID"; return $status
    }

    """

  init() throws {
    scratch = try TemporaryFolder(in: "/tmp")
    let (signer, other) = (try KeyParts.signer(1), try KeyParts.signer(2))
    try scratch.writePrivate("k", signer.text)
    try scratch.writePrivate("k.pub", signer.publicKey.line + "\n")
    try scratch.writePrivate("other", other.text)
    try scratch.writePrivate("other.pub", other.publicKey.line + "\n")
    try scratch.writePrivate("m", "hello package\n")
    let signature = try SSHSignature(
      of: Array("hello package\n".utf8), origin: "m", namespace: "package@ingot.dev", by: signer)
    try scratch.writePrivate("m.sig", signature.armoured)
  }

  /// Writes the list and makes the case's change.
  func prepare(_ test: SignatureAgreementTests.Case) throws {
    let (key, other) = (try scratch.text("k.pub"), try scratch.text("other.pub"))
    var list = test.list
    if list.contains("RSA") {
      try Tool.succeed("ssh-keygen -q -t rsa -b 2048 -N '' -f rsa", in: scratch.path)
      list.replace("RSA", with: try scratch.text("rsa.pub").dropLast())
    }
    list.replace("SSHED KEY", with: key.replacing("ssh-ed25519", with: "SSH-ED25519").dropLast())
    list.replace("KEY", with: key.dropLast())
    list.replace("OTHER", with: other.dropLast())
    try scratch.writePrivate("signers", list)
    if let signature = test.signature {
      try scratch.writePrivate("m.sig", signature(Array(try scratch.bytes("m.sig"))))
    }
    try Tool.succeed(Bench.agentScript + test.change, in: scratch.path)
  }

  /// Whether OpenSSH accepts.
  func verdictOfSSHKeygen(_ test: SignatureAgreementTests.Case) throws -> Bool {
    let run = try Tool.run(
      "ssh-keygen -Y verify -f signers -I \"$1\" -n \"$2\" -s m.sig <m",
      [test.identity, test.namespace], in: scratch.path)
    #expect(run.status == 0 || run.status == 255, "\(run.errors)")
    return run.status == 0
  }

  /// Why we refuse; nil when we accept.
  func verdict(_ test: SignatureAgreementTests.Case) -> SignatureError? {
    do throws(SignatureError) {
      let file: MappedFile
      do throws(FileError) {
        file = try MappedFile(path: scratch.path("m"))
      } catch {
        throw .unreadable(error)
      }
      _ = try AllowedSigners(path: scratch.path("signers")).verify(
        try SSHSignature(path: scratch.path("m.sig")), of: file, namespace: test.namespace,
        identity: test.identity, at: System.secondsSince1970)
      return nil
    } catch {
      return error
    }
  }
}
