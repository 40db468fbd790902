import Foundation
import TestSupport
import Testing

/// `verify --allowed-signers`, over files that ssh-keygen signs.
@Suite(.enabled(if: Program.has("ssh-keygen"), "ssh-keygen is needed"))
struct VerifySignatureTests {
  let folder: TemporaryFolder
  private let archive = TemporaryFolder.archive(TemporaryFolder.apps[0])

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
    _ = try Program.run(["build", "project", "--output", "out", "--quiet"], in: folder.path)
    try tool("for key in k other; do ssh-keygen -q -t ed25519 -N '' -C '' -f $key; done")
    try allow("a@example.com namespaces=\"*@ingot.dev\"")
  }

  /// Runs a line of bash that must succeed.
  private func tool(_ script: String) throws {
    let run = try Program.shell(script, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  /// Writes a list in which the key `k` has a line that begins so.
  private func allow(_ start: String) throws {
    let key = String(decoding: try folder.bytes("k.pub"), as: UTF8.self)
    try folder.write("signers", "\(start) \(key)")
  }

  private func sign(
    _ path: String, key: String = "k", for namespace: String = "package@ingot.dev"
  ) throws {
    try tool("ssh-keygen -q -Y sign -f \(key) -n \(namespace) \(path) 2>&1")
  }

  private func verify(
    _ path: String, _ flags: [String] = [], environment: [String: String] = [:]
  ) throws -> Program {
    try Program.run(
      ["verify", path, "--allowed-signers", "signers"] + flags, environment: environment,
      in: folder.path)
  }

  private var path: String { "out/\(archive)" }

  private func key() throws -> String {
    let run = try Program.shell("ssh-keygen -l -f k.pub", in: folder.path)
    return String(run.output.split(separator: " ")[1])
  }

  @Test func signedArchiveIsDescribed() throws {
    try sign(path)
    let run = try verify(path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.isEmpty)
    let line = "  signature: good, by 'a@example.com' for package@ingot.dev, key \(try key())"
    #expect(run.output.hasSuffix("\n\(line)\n  provenance: none\n"), "\(run.output)")
    #expect(run.output.hasPrefix("\(path): sound\n"))
  }

  @Test func jsonNamesTheSigner() throws {
    try sign(path)
    let json = try verify(path, ["--json", "--identity", "a@example.com"]).json()
    #expect(json["verdict"] as? String == "sound")
    #expect(
      json["signature"] as? [String: String] == [
        "identity": "a@example.com", "key": try key(), "namespace": "package@ingot.dev",
      ])
    #expect(json["provenance"] is NSNull)
  }

  @Test func signatureNobodyAskedForIsNotChecked() throws {
    try folder.write("\(path).sig", "no signature at all")
    let run = try Program.run(["verify", path], in: folder.path)
    #expect(run.status == 0)
    #expect(
      run.output.hasSuffix("  signature: not checked, --allowed-signers was not given\n"))
    let json = try Program.run(["verify", path, "--json"], in: folder.path).json()
    #expect(json["signature"] is NSNull)
  }

  @Test func missingSignatureIsRefused() throws {
    let run = try verify(path)
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: \(path): is not signed, '\(path).sig' is not there
        hint: --signature names a signature that lies elsewhere

        """)
    let named = try verify(path, ["--signature", "gone.sig"])
    #expect(named.status == 4)
    #expect(named.errors == "error: \(path): is not signed, 'gone.sig' is not there\n")
  }

  @Test func signatureMayLieElsewhere() throws {
    try sign(path)
    try tool("mv \(path).sig elsewhere")
    #expect(try verify(path, ["--signature", "elsewhere"]).status == 0)
  }

  @Test func refusalsSayWhy() throws {
    try sign(path)
    let other = try verify(path, ["--identity", "b@example.com"])
    #expect(other.status == 4)
    #expect(
      other.errors == """
        error: \(path).sig: 'b@example.com' may not sign with the key \(try key()) by signers
          signers:1: the key is not that of 'b@example.com'

        """)
    try allow("a@example.com valid-before=\"20200101Z\"")
    let expired = try verify(path)
    #expect(expired.status == 4)
    #expect(
      expired.errors == """
        error: \(path).sig: nobody may sign with the key \(try key()) by signers
          signers:1: the key has expired

        """)
    try allow("a@example.com")
    try tool("rm \(path).sig")
    try sign(path, for: "git")
    let purpose = try verify(path)
    #expect(purpose.status == 4)
    #expect(
      purpose.errors == "error: \(path).sig: is made for 'git', expected 'package@ingot.dev'\n")
    try folder.write("\(path).sig", "-----BEGIN PGP SIGNATURE-----\n")
    let none = try verify(path)
    #expect(none.status == 4)
    #expect(
      none.errors
        == "error: \(path).sig: does not begin with '-----BEGIN SSH SIGNATURE-----'\n")
  }

  @Test func signatureOfAnotherArchiveIsRefused() throws {
    let second = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[1]))"
    try sign(second)
    let run = try verify(path, ["--signature", "\(second).sig"])
    #expect(run.status == 4)
    #expect(
      run.errors == """
        error: \(second).sig: does not fit \(path): the file or the signature has changed

        """)
  }

  @Test func listThatCannotBeReadIsAFailureOfAnotherKind() throws {
    try sign(path)
    try tool("rm signers")
    let missing = try verify(path)
    #expect(missing.status == 1)
    #expect(missing.errors == "error: signers: cannot open: no such file or directory\n")
  }

  @Test func faultyLineIsAWarning() throws {
    try sign(path)
    let list = String(decoding: try folder.bytes("signers"), as: UTF8.self)
    try folder.write("signers", "b@x no-such-option ssh-ed25519 AAAA\n\(list)")
    let run = try verify(path)
    #expect(run.status == 0)
    #expect(
      run.errors == """
        warning: signers:1: the key is none that OpenSSH knows; the line lets nobody sign

        """)
  }

  @Test(arguments: [["--identity", "a"], ["--signature", "a"]])
  func flagsNeedAList(_ flags: [String]) throws {
    let run = try Program.run(["verify", path] + flags, in: folder.path)
    #expect(run.status == 64)
    #expect(run.errors.hasPrefix("Error: \(flags[0]) needs --allowed-signers\n"))
  }

  /// Local time without a `Z`: the same list, hours apart, and ssh-keygen agrees each time.
  @Test(arguments: ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Auckland"])
  func timesWithoutZoneAreLocal(_ zone: String) throws {
    try sign(path)
    var verdicts: Set<Bool> = []
    for hours in [-16, -4, 4, 16] {
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = .gmt
      formatter.dateFormat = "yyyyMMddHHmm"
      let time = formatter.string(from: Date(timeIntervalSinceNow: Double(hours) * 3600))
      try allow("a@example.com valid-before=\"\(time)\"")
      let ours = try verify(path, environment: ["TZ": zone])
      let theirs = try Program.shell(
        #"export TZ="$2"; ssh-keygen -Y verify -f signers -I a@example.com -n package@ingot.dev "#
          + #"-s "$1.sig" <"$1""#, [path, zone], in: folder.path)
      #expect((ours.status == 0) == (theirs.status == 0), "\(zone), \(hours) h: \(ours.errors)")
      verdicts.insert(ours.status == 0)
    }
    #expect(verdicts == [true, false])
  }
}
