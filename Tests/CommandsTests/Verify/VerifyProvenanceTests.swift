import Foundation
import TestSupport
import Testing

/// The envelope beside an archive, signed by openssl with the key that ssh-keygen made.
@Suite(
  .enabled(
    if: Program.has("ssh-keygen") && Program.has("python3") && Program.has("openssl"),
    "ssh-keygen, openssl and python3 are needed"))
struct VerifyProvenanceTests {
  let folder: TemporaryFolder
  private let path = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeProject()
    _ = try Program.run(["build", "project", "--output", "out", "--quiet"], in: folder.path)
    let script = """
      ssh-keygen -q -t ed25519 -N '' -C '' -f k && echo "a@x $(cat k.pub)" >signers
      ssh-keygen -q -Y sign -f k -n package@ingot.dev \(path) 2>&1
      """
    try #require(try Program.shell(script, in: folder.path).status == 0)
    try folder.write("envelope.py", Self.maker)
  }

  /// Signs a statement about a digest with the key in `k`, in Python and openssl alone.
  private static let maker = """
    import base64, json, subprocess, sys
    digest, payload_type, signed, predicate, build = sys.argv[1:6]
    text = "".join(open("k").read().splitlines()[1:-1])
    blob = base64.b64decode(text)
    mark = b"\\x00\\x00\\x00\\x40"
    seed = blob[blob.rindex(mark) + 4:][:32]
    open("k.der", "wb").write(bytes.fromhex("302e020100300506032b657004220420") + seed)
    payload = json.dumps({"_type": "https://in-toto.io/Statement/v1",
      "subject": [{"name": "a", "digest": {"sha256": digest}}],
      "predicateType": predicate,
      "predicate": {"buildDefinition": {"buildType": build}}}).encode()
    other = payload if signed == "yes" else payload + b" "
    open("pae", "wb").write(b"DSSEv1 %d %s %d %s" % (
      len(payload_type), payload_type.encode(), len(other), other))
    subprocess.run(["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", "k.der", "-keyform", "DER",
      "-in", "pae", "-out", "sig"], check=True)
    encode = lambda b: base64.b64encode(b).decode()
    print(json.dumps({"payloadType": payload_type, "payload": encode(payload),
      "signatures": [{"sig": encode(open("sig", "rb").read())}]}))

    """

  private func attest(
    _ digest: String? = nil, type: String = "application/vnd.in-toto+json", isSigned: Bool = true,
    predicate: String = "https://slsa.dev/provenance/v1",
    build: String = "https://ingot.dev/package/v1"
  ) throws {
    let sum = try Program.run([path], program: "/usr/bin/sha256sum", in: folder.path).output
    let run = try Program.shell(
      #"python3 envelope.py "$2" "$3" "$4" "$5" "$6" >"$1.intoto.jsonl""#,
      [path, digest ?? String(sum.prefix(64)), type, isSigned ? "yes" : "no", predicate, build],
      in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func verify(_ flags: [String] = []) throws -> Program {
    try Program.run(
      ["verify", path, "--allowed-signers", "signers"] + flags, in: folder.path)
  }

  @Test func provenanceIsVerifiedWithTheSignature() throws {
    try attest()
    let run = try verify()
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.contains("  provenance: good, by 'a@x' for provenance@ingot.dev, key SHA256:"))
    let json = try verify(["--json"]).json()
    #expect((json["provenance"] as? [String: String])?["namespace"] == "provenance@ingot.dev")
  }

  @Test func provenanceOfAnotherArchiveIsRefused() throws {
    let other = String(repeating: "0", count: 64)
    try attest(other)
    let run = try verify()
    #expect(run.status == 4)
    #expect(
      run.errors.hasPrefix(
        "error: \(path).intoto.jsonl: speaks of '\(other)', the archive is '"))
  }

  @Test func provenanceThatIsNotSignedIsRefused() throws {
    try attest(isSigned: false)
    let run = try verify()
    #expect(run.status == 4)
    #expect(
      run.errors
        == "error: \(path).intoto.jsonl: holds no signature of a key that signers names\n")
  }

  @Test func provenanceOfAnotherKindIsRefused() throws {
    try attest(type: "text/plain")
    let run = try verify()
    #expect(run.status == 4)
    #expect(
      run.errors
        == "error: \(path).intoto.jsonl: holds 'text/plain', expected "
        + "'application/vnd.in-toto+json'\n")
  }

  /// Another signed statement about the archive, such as a failed scan, is not provenance.
  @Test func anotherStatementIsNoProvenance() throws {
    try attest(predicate: "https://example.com/vuln-scan/v1")
    let scan = try verify(["--require-provenance"])
    #expect(scan.status == 4)
    #expect(
      scan.errors.contains(
        "'predicateType' is the string \"https://example.com/vuln-scan/v1\", expected "
          + "\"https://slsa.dev/provenance/v1\""), "\(scan.errors)")
    #expect(try verify().status == 4)
    try attest(build: "https://example.com/make")
    let made = try verify(["--require-provenance"])
    #expect(made.status == 4)
    #expect(
      made.errors.contains(
        "'buildType' is the string \"https://example.com/make\", expected "
          + "\"https://ingot.dev/package/v1\""), "\(made.errors)")
  }

  @Test func provenanceNeedsItsOwnPermission() throws {
    try attest()
    let key = String(decoding: try folder.bytes("k.pub"), as: UTF8.self)
    try folder.write("signers", "a@x namespaces=\"package@ingot.dev\" \(key)")
    let run = try verify()
    #expect(run.status == 4)
    #expect(
      run.errors.hasSuffix("  signers:1: the key may not sign for 'provenance@ingot.dev'\n"))
  }
}
