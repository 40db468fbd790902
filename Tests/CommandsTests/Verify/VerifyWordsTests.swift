import Foundation
import TestSupport
import Testing

/// What `verify` says where nobody vouches for a package, and which package it was asked for.
@Suite(.enabled(if: Program.has("ssh-keygen"), "needs ssh-keygen")) struct VerifyWordsTests {
  private let folder: TemporaryFolder
  private let app = TemporaryFolder.apps[0]
  private let path = "out/\(TemporaryFolder.archive(TemporaryFolder.apps[0]))"

  init() throws {
    folder = try TemporaryFolder()
    try folder.writeFaultProject()
    let run = try Program.run(["build", "project", "--output", "out"], in: folder.path)
    try #require(run.status == 0, "\(run.errors)")
    try folder.write(
      "signers",
      "a@x \(String(decoding: try folder.bytes("project/keys/release.pub"), as: UTF8.self))")
  }

  private func verify(_ flags: [String] = [], path: String? = nil) throws -> Program {
    try Program.run(["verify", path ?? self.path] + flags, in: folder.path)
  }

  private let signed = ["--allowed-signers", "signers"]

  @Test func withoutASignerEverythingIsAClaim() throws {
    let run = try verify()
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("\(path): sound\n"))
    #expect(run.output.contains("  integrity only, not authenticated: "))
    #expect(run.output.contains(", claims to have passed standard"))
    let json = try verify(["--json"]).json()
    #expect(json["authenticated"] as? Bool == false)
    #expect(json["signature"] is NSNull)
    #expect(json["checked"] as? [String] == ["integrity", "models"])
  }

  @Test func aStrippedSignatureIsSaid() throws {
    try FileManager.default.removeItem(atPath: folder.path("\(path).sig"))
    #expect(
      try verify().output.hasSuffix(
        "  integrity only, not authenticated: there is no signature\n"))
    #expect(try verify(signed).status == 4)
  }

  @Test func withASignerItPassed() throws {
    let run = try verify(signed)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(", passed standard"))
    #expect(!run.output.contains("claims") && !run.output.contains("not authenticated"))
    let json = try verify(signed + ["--json"]).json()
    #expect(json["authenticated"] as? Bool == true)
    #expect(
      json["checked"] as? [String] == ["integrity", "models", "signature", "provenance"])
  }

  @Test func strippedProvenanceIsRefusedWhereItIsRequired() throws {
    let flags = signed + ["--require-provenance"]
    #expect(try verify(flags).status == 0)
    try FileManager.default.removeItem(atPath: folder.path("\(path).intoto.jsonl"))
    // Where it may be missing, it is said that it is.
    let plain = try verify(signed)
    #expect(plain.status == 0)
    #expect(plain.output.hasSuffix("\n  provenance: none\n"), "\(plain.output)")
    let json = try verify(signed + ["--json"]).json()
    #expect(json["provenance"] is NSNull)
    #expect(json["checked"] as? [String] == ["integrity", "models", "signature"])
    let run = try verify(flags)
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(
      run.errors.hasPrefix(
        "error: \(path): has no provenance, '\(path).intoto.jsonl' is not there\n"))
    #expect(try verify(["--require-provenance"]).status == 64)
  }

  @Test func theRightPackageIsTaken() throws {
    let flags = [
      "--app", app.uppercased(), "--min-version", "1.0.0", "--bundle", "com.example.app1",
    ]
    let run = try verify(signed + flags + ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try run.json()["checked"] as? [String] == [
        "integrity", "models", "signature", "provenance", "app", "bundle", "version",
      ])
    #expect(try verify(["--min-version", "1.0.0-rc.1"]).status == 0)
  }

  @Test(arguments: [
    (
      ["--app", TemporaryFolder.apps[1]],
      "it is for app \(TemporaryFolder.apps[0]), asked for was \(TemporaryFolder.apps[1])"
    ),
    (["--min-version", "1.0.1"], "it has version 1.0.0, asked for was 1.0.1 or later"),
    (["--min-version", "1.0.1-rc.1"], "it has version 1.0.0, asked for was 1.0.1-rc.1 or later"),
    (
      ["--bundle", "com.example.app"],
      "it is for bundle com.example.app1, asked for was com.example.app"
    ),
  ])
  func anotherPackageIsRefusedHoweverWellSigned(_ flags: [String], _ words: String) throws {
    let run = try verify(signed + flags)
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == "error: \(path): is not the package that was asked for\n  \(words)\n")
    let answer = try verify(signed + flags + ["--json"])
    #expect(answer.status == 4)
    let json = try answer.json()
    #expect(json["verdict"] as? String == "refused")
    #expect(json["reasons"] as? [String] == [words])
    #expect(json["path"] as? String == path)
  }

  @Test func aPackageInAnothersFolderIsRefused() throws {
    let other = "out/\(TemporaryFolder.apps[1])/it.tar.zst"
    try FileManager.default.copyItem(atPath: folder.path(path), toPath: folder.path(other))
    let run = try verify(path: other)
    #expect(run.status == 4)
    #expect(
      run.errors.contains(
        "is the package of app \(app), and lies in the folder of app \(TemporaryFolder.apps[1])"))
  }

  /// The path that is given need not say whose folder it is.
  @Test func whereAPackageReallyLiesCounts() throws {
    let other = TemporaryFolder.apps[1]
    let made = try Program.shell(
      #"""
      mkdir "out/${2^^}" mine "mine/${3^^}" && cp "$1" "out/$2/it.tar.zst"
      ln -s "out/$2" here && ln -s "../out/$2/it.tar.zst" mine/latest.tar.zst
      cp "$1" "out/${2^^}/it.tar.zst" && cp "$1" "mine/${2^^}-1.0.0.tar.zst"
      cp "$1" "mine/${3^^}/${3^^}-1.0.0.TAR.ZST" && ln -s "$1" link.tar.zst
      """#, [path, other, app], in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let inside = try Program.run(["verify", "it.tar.zst"], in: folder.path("out/\(other)"))
    #expect(inside.status == 4)
    #expect(inside.errors.contains("and lies in the folder of app \(other)"), "\(inside.errors)")
    for path in [
      "here/it.tar.zst", "mine/latest.tar.zst", "out/\(other.uppercased())/it.tar.zst",
      "mine/\(other.uppercased())-1.0.0.tar.zst",
    ] {
      #expect(try verify(path: path).status == 4, "\(path)")
    }
    let own = app.uppercased()
    for path in ["mine/\(own)/\(own)-1.0.0.TAR.ZST", "link.tar.zst"] {
      let run = try verify(path: path)
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  /// However a name writes an id, it is an app's.
  @Test func aNameHoldsNoOtherAppsID() throws {
    let other = TemporaryFolder.apps[1]
    func bare(_ id: String) -> String { id.replacingOccurrences(of: "-", with: "") }
    func verified(_ name: String) throws -> Program {
      try FileManager.default.copyItem(atPath: folder.path(path), toPath: folder.path(name))
      return try verify(path: name)
    }
    let foreign = [
      other, "UP-\(other.uppercased())", bare(other),
      other.replacingOccurrences(of: "-", with: "_"),
      "latest-\(other)", "\(other)_1.0.0", "\(app)_\(other)", "v1{\(other)}",
    ]
    for name in foreign {
      let run = try verified("\(name).tar.zst")
      #expect(run.status == 4, "\(name)")
      #expect(
        run.errors.contains(
          "is the package of app \(app), and its name holds the id of app \(other)\n"),
        "\(run.errors)")
    }
    let digest = bare(other) + bare(app)
    for name in ["latest", app, "latest-\(app)", bare(app).uppercased(), "v1_\(digest)"] {
      let run = try verified("\(name).tar.zst")
      #expect(run.status == 0, "\(run.errors)")
    }
  }

  @Test(arguments: [["--app", "me"], ["--min-version", "1.0"], ["--bundle", "a b"]])
  func whatIsNoNameIsWrongUsage(_ flags: [String]) throws {
    #expect(try verify(flags).status == 64)
  }

  @Test(arguments: [
    ["--min-version", "1.0.0"], ["--allowed-signers", "s", "--require-provenance"],
  ])
  func aListIsNotOnePackage(_ flags: [String]) throws {
    for path in ["out", "out/SHA256SUMS"] { #expect(try verify(flags, path: path).status == 64) }
  }

  /// The gate's warnings are in the receipt, and whoever takes the package reads them.
  @Test func warningsOfTheGateAreSaid() throws {
    let made = try Program.shell(
      """
      cd project/flows/first_flow/v1 && "$0" compress . --scheme int8 --output ../m.safetensors \\
        --quiet && rm * && mv ../m.safetensors model.safetensors
      """, in: folder.path)
    try #require(made.status == 0, "\(made.errors)")
    let built = try Program.run(["build", "project", "--output", "again"], in: folder.path)
    try #require(built.status == 0, "\(built.errors)")
    let path = "again/\(TemporaryFolder.archive(app))"
    let json = try verify(["--json"], path: path).json()
    let warnings = try #require(json["warnings"] as? [String: [String]])["first_flow"] ?? []
    #expect(warnings.contains { $0.hasPrefix("the baseline is compressed itself (int8") })
    let text = try verify(path: path).output
    for warning in warnings { #expect(text.contains("    warning: \(warning)\n")) }
  }
}
