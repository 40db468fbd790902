import Foundation
import TestSupport
import Testing

struct DoctorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func findings(
    _ arguments: [String] = [], environment: [String: String] = [:], status: Int32 = 0
  ) throws -> [String: [String: String]] {
    let run = try Program.run(
      ["doctor", "--json"] + arguments, environment: environment, in: folder.path)
    #expect(run.status == status, "\(run.output)")
    #expect(run.errors.isEmpty)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    #expect(json["verdict"] as? String == (status == 0 ? "fit" : "lacking"))
    let findings = try #require(json["findings"] as? [[String: String]])
    let names = findings.compactMap { $0["name"] }
    #expect(Set(names).count == findings.count)
    return Dictionary(zip(names, findings)) { first, _ in first }
  }

  @Test func tellsWhatItFoundLineByLine() throws {
    let run = try Program.run(["doctor"], in: folder.path)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let lines = run.output.split(separator: "\n")
    let names = [
      "libarchive", "libzstd", "libpng", "libjpeg-turbo", "oneDNN", "zlib", "libcurl",
      "instructions",
      "processors", "memory", "output folder", "temporary folder", "store folder", "umask", "clock",
      "SOURCE_DATE_EPOCH",
      "ssh-keygen", "ssh-agent",
    ]
    for name in names {
      #expect(lines.contains { $0.dropFirst(9).hasPrefix(name) }, "\(name)")
    }
    #expect(
      lines.allSatisfy { line in
        ["ok ", "warning ", "missing ", "         mend: "].contains { line.hasPrefix($0) }
      })
  }

  @Test func jsonHasVersionsOfLibraries() throws {
    let findings = try findings()
    for name in ["libarchive", "libzstd", "libpng", "libjpeg-turbo", "oneDNN", "zlib"] {
      let found = try #require(findings[name]?["found"])
      #expect(found.wholeMatch(of: /\d+\.\d+(\.\d+)*.*/) != nil, "\(name) \(found)")
    }
  }

  struct Case: CustomTestStringConvertible {
    let name: String
    let environment: [String: String]
    let finding: String
    let status: String
    let found: String
    let isFatal: Bool
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      name: "a date", environment: ["SOURCE_DATE_EPOCH": "1795219200"],
      finding: "SOURCE_DATE_EPOCH", status: "ok", found: "2026-11-21T00:00:00Z", isFatal: false),
    Case(
      name: "no date", environment: ["SOURCE_DATE_EPOCH": ""], finding: "SOURCE_DATE_EPOCH",
      status: "ok", found: "not set; packages are dated 1970-01-01T00:00:00Z", isFatal: false),
    Case(
      name: "a wrong date", environment: ["SOURCE_DATE_EPOCH": "yesterday"],
      finding: "SOURCE_DATE_EPOCH", status: "missing",
      found: "'SOURCE_DATE_EPOCH' is 'yesterday', "
        + "expected seconds since 1970, at most 8589934591", isFatal: true),
    Case(
      name: "no ssh-keygen", environment: ["PATH": "/nowhere"], finding: "ssh-keygen",
      status: "warning", found: "not there", isFatal: false),
    Case(
      name: "no agent", environment: ["SSH_AUTH_SOCK": ""], finding: "ssh-agent", status: "ok",
      found: "none; a key file without a passphrase needs none", isFatal: false),
    Case(
      name: "an agent that is gone", environment: ["SSH_AUTH_SOCK": "/nowhere/agent"],
      finding: "ssh-agent", status: "warning",
      found: "/nowhere/agent: cannot connect: no such file or directory", isFatal: false),
    Case(
      name: "no home", environment: ["HOME": "", "XDG_CACHE_HOME": "", "INGOT_STORE": ""],
      finding: "store folder", status: "warning", found: "neither INGOT_STORE nor HOME is set",
      isFatal: false),
    Case(
      name: "a store that is a file", environment: ["INGOT_STORE": "/dev/null/store"],
      finding: "store folder", status: "missing", found: "/dev/null is no folder",
      isFatal: true),
  ]

  @Test(arguments: cases)
  func looksAtTheEnvironment(_ test: Case) throws {
    let all = try findings(environment: test.environment, status: test.isFatal ? 1 : 0)
    let finding = try #require(all[test.finding])
    #expect(finding["status"] == test.status)
    #expect(finding["found"] == test.found)
    #expect((finding["mend"] == nil) == (test.status == "ok"))
  }

  @Test func warnsOfFilesThatAnyoneMayChange() throws {
    let run = try Program.shell("umask 0; exec \"$0\" doctor", in: folder.path)
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        "0000 lets anyone change what is written here\n         mend: umask 022\n"))
  }

  @Test func looksAtTheProjectsKey() throws {
    try folder.writeProject()
    let text = try String(decoding: folder.bytes("project/ingot.yaml"), as: UTF8.self)
    try folder.write(
      "project/ingot.yaml",
      text.replacingOccurrences(of: "version: 1.0.0", with: "version: 1.0.0, sign: keys/release"))
    var key = try #require(try findings(["project"], status: 1)["signing key"])
    #expect(
      key["found"] == "the signing key 'project/keys/release' is not there, "
        + "nor is the folder 'project/keys'")
    #expect(
      key["mend"]
        == "make one: mkdir -p project/keys && ssh-keygen -t ed25519 -f project/keys/release")
    try folder.write("project/keys/release", "-----BEGIN OPENSSH PRIVATE KEY-----\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: folder.path("project/keys/release"))
    key = try #require(try findings(["project"], status: 1)["signing key"])
    #expect(
      key["found"]
        == "the signing key 'project/keys/release' has mode 0644, others can use it")
    #expect(key["mend"] == "chmod 600 project/keys/release")
  }
}
