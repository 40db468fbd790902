import Foundation
import TestSupport
import Testing

/// `verify SHA256SUMS`, over lists that sha256sum writes and ssh-keygen signs.
@Suite(.enabled(if: Program.has("ssh-keygen"), "ssh-keygen is needed"))
struct VerifySumsTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a/one", "b/two", "c"] {
      try folder.write("out/\(name)", "content of \(name)")
    }
    try tool(
      "cd out && sha256sum a/one b/two c >SHA256SUMS && cd .. "
        + "&& ssh-keygen -q -t ed25519 -N '' -C '' -f k && echo \"a@x $(cat k.pub)\" >signers "
        + "&& ssh-keygen -q -Y sign -f k -n sums@ingot.dev out/SHA256SUMS 2>&1")
  }

  private func tool(_ script: String) throws {
    let run = try Program.shell(script, in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
  }

  private func verify(_ flags: [String] = ["--allowed-signers", "signers"]) throws -> Program {
    try Program.run(["verify", "out/SHA256SUMS"] + flags, in: folder.path)
  }

  @Test func soundReleaseIsDescribed() throws {
    let run = try verify()
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.output.hasPrefix(
        "out/SHA256SUMS: sound, 3 files\n  signature: good, by 'a@x' for sums@ingot.dev, key SHA256:"
      ))
    let json = try verify(["--allowed-signers", "signers", "--json"]).json()
    #expect(json["files"] as? Int == 3)
    #expect((json["signature"] as? [String: String])?["namespace"] == "sums@ingot.dev")
  }

  @Test func withoutSignersTheFilesAreChecked() throws {
    let run = try verify([])
    #expect(run.status == 0)
    #expect(
      run.output == """
        out/SHA256SUMS: sound, 3 files
          integrity only, not authenticated: nobody looked who signed it
          signature: not checked, --allowed-signers was not given
          index: not checked, it is not here

        """)
  }

  @Test func everyFileThatDiffersIsListed() throws {
    try folder.write("out/a/one", "other")
    try tool("rm out/c")
    let run = try verify()
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(lines[0] == "error: out/SHA256SUMS: 2 of 3 files not as listed")
    #expect(lines[1].hasPrefix("  out/a/one: has the sha256 "))
    #expect(lines[2] == "  out/c: cannot open: no such file or directory")
  }

  @Test func changedListIsRefusedBeforeItsFiles() throws {
    try tool("cd out && sha256sum c >SHA256SUMS")
    let run = try verify()
    #expect(run.status == 4)
    #expect(
      run.errors == """
        error: out/SHA256SUMS.sig: does not fit out/SHA256SUMS: the file or the signature has changed

        """)
  }

  @Test func pathOutsideIsRefused() throws {
    let sum = String(repeating: "0", count: 64)
    try folder.write("out/SHA256SUMS", "\(sum)  ../k\n")
    let run = try verify([])
    #expect(run.status == 4)
    #expect(
      run.errors == """
        error: out/SHA256SUMS:1: expected 64 hexadecimal digits, two spaces and a path inside \
        the folder

        """)
  }

  @Test func signatureOfAnArchiveIsNoneOfAList() throws {
    try tool(
      "rm out/SHA256SUMS.sig && ssh-keygen -q -Y sign -f k -n package@ingot.dev out/SHA256SUMS 2>&1"
    )
    let run = try verify()
    #expect(run.status == 4)
    #expect(
      run.errors
        == "error: out/SHA256SUMS.sig: is made for 'package@ingot.dev', expected 'sums@ingot.dev'\n"
    )
  }
}
