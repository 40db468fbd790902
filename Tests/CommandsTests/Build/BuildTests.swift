import Foundation
import TestSupport
import Testing

struct BuildTests {
  let folder: TemporaryFolder
  let apps = TemporaryFolder.apps

  init() throws { folder = try TemporaryFolder() }

  func build(
    of project: String = "project", output: String = "out", _ flags: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Program {
    try Program.run(
      ["build", project, "--output", output] + flags, environment: environment, in: folder.path)
  }

  @Test func quickstartMakesTwoPackagesAndRefusesOneCustomer() throws {
    try folder.copyQuickstart()
    let run = try build(of: "quickstart", ["--json"])
    #expect(run.status == 3)
    let json = try run.json()
    #expect(json["schemaVersion"] as? Int == 1)
    let packages = try #require(json["packages"] as? [[String: Any]])
    #expect(packages.count == 2)
    for package in packages {
      #expect(
        Set(package.keys) == [
          "customer", "version", "path", "sha256", "bytes", "verdict", "reused",
        ])
      #expect(package["verdict"] as? String == "passed")
      #expect(package["reused"] as? Bool == false)
      let path = try #require(package["path"] as? String)
      #expect(package["bytes"] as? Int == (try folder.bytes(path)).count)
      let sum = try Program.run([path], program: "/usr/bin/sha256sum", in: folder.path).output
      #expect(sum.prefix(64) == package["sha256"] as? String ?? "")
      #expect(try Program.run(["verify", path], in: folder.path).status == 0)
    }
    let refused = try #require(json["refused"] as? [[String: Any]])
    #expect(refused.count == 1)
    #expect(refused.first?["customer"] as? String == "e07a95b8-2c4d-4b96-8f21-7d3e60c9a1b5")
    let reasons = try #require(refused.first?["reasons"] as? [String])
    #expect(!reasons.isEmpty)
    #expect(reasons.allSatisfy { $0.hasPrefix("model 'churn_risk v9': ") })
    #expect(try folder.archives(in: "out").count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(names.count == 5)
    #expect(Set(names).isSuperset(of: [".lock", "SHA256SUMS", "index.jsonl"]))
  }

  @Test func answerIsOnStdoutAndEachRefusalIsSaidOnce() throws {
    try folder.writeProject()
    let run = try build()
    #expect(run.status == 3)
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4)
    for (line, app) in zip(lines, apps.dropLast()) {
      #expect(line.hasPrefix("out/\(TemporaryFolder.archive(app)): "))
    }
    #expect(lines[2] == "\(apps[2]): refused, no package")
    #expect(lines[3].hasPrefix("source check: of 3 models nobody checked"))
    let errors = run.errors.split(separator: "\n").map(String.init)
    #expect(errors.contains("broken_flow v3: refused"))
    #expect(errors.filter { $0.hasPrefix("error: ") } == ["error: \(apps[2]): refused, no package"])
    let details = errors.filter { $0.hasPrefix("  ") }
    #expect(!details.isEmpty)
    #expect(details.allSatisfy { $0.hasPrefix("  model 'broken_flow v3': ") })
    #expect(Set(details).count == details.count)
    // What would let it pass was tried.
    #expect(details.last?.contains(" would bring ") == true, "\(details)")
    #expect(details.last?.contains(", inside ") == true, "\(details)")
  }

  @Test func quietLeavesOutEveryStep() throws {
    try folder.writeProject()
    let talking = try build(output: "talking")
    let run = try build(["--quiet"])
    #expect(run.status == 3)
    func isStep(_ line: Substring) -> Bool {
      !["warning: ", "error: ", "  "].contains { line.hasPrefix($0) }
    }
    let said = talking.errors.split(separator: "\n")
    #expect(said.contains(where: isStep))
    let errors = run.errors.split(separator: "\n")
    #expect(errors.contains("error: \(apps[2]): refused, no package"))
    #expect(errors.contains { $0.hasPrefix("  model 'broken_flow v3': ") })
    #expect(errors == said.filter { !isStep($0) })
  }

  @Test func projectThatPassesWholeHasStatusZero() throws {
    try folder.writeProject()
    try folder.write("project/flows/broken_flow/v3/coef.npy", Npy.bytes([1, 2], [0.5, 1]))
    let run = try build()
    #expect(run.status == 0)
    #expect(!run.errors.contains("error:"))
    #expect(try folder.archives(in: "out").count == 3)
  }

  @Test func secondBuildReusesAndChangesNothing() throws {
    try folder.writeProject()
    #expect(try build().status == 3)
    let first = try folder.archives(in: "out")
    let again = try build(["--json"])
    #expect(again.status == 3)
    #expect(try folder.archives(in: "out") == first)
    let packages = try #require(try again.json()["packages"] as? [[String: Any]])
    #expect(packages.map { $0["reused"] as? Bool } == [true, true])
  }

  @Test func archiveWithOtherContentIsNeverReplaced() throws {
    try folder.writeProject()
    let path = "out/\(TemporaryFolder.archive(apps[0]))"
    try folder.write(path, "precious")
    try folder.write("project/flows/broken_flow/v3/coef.npy", Npy.bytes([1, 2], [0.5, 1]))
    let run = try build()
    #expect(run.status == 1)
    #expect(try folder.bytes(path) == Data("precious".utf8))
    #expect(
      run.errors.contains(
        """
        error: \(apps[0]): refused, no package
          \(path): is there with other content, and a version is never written twice; \
        raise 'version' in project/ingot.yaml
          it is no sound package: \(path): is not a zstd archive; remove it, and build again

        """))
    #expect(try folder.archives(in: "out").count == 3)
  }

  @Test func weightThatIsNotFiniteIsReportedWithItsPlace() throws {
    try folder.writeProject()
    try folder.write("project/flows/broken_flow/v3/coef.npy", Npy.bytes([1, 2], [0.5, 1]))
    try folder.write("project/flows/first_flow/v1/coef.npy", Npy.bytes([1, 2], [.nan, 1]))
    let run = try build()
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        """
        error: \(apps[0]): refused, no package
          model 'first_flow v1': tensor 'coef': 1 value is not finite, the first at flat index 0

        """))
    #expect(
      try folder.archives(in: "out").keys.sorted()
        == apps.dropFirst().map { TemporaryFolder.archive($0) })
  }

  @Test func aRefusalOfTheGateIsStatusThreeWhateverElseFails() throws {
    try folder.writeProject()
    try folder.write("project/flows/first_flow/v1/coef.npy", Npy.bytes([1, 2], [.nan, 1]))
    try folder.write("out/\(apps[1])", "a file where a folder belongs")
    let run = try build(["--json"])
    #expect(run.status == 3)
    let refused = try #require(try run.json()["refused"] as? [[String: Any]])
    #expect(refused.map { $0["cause"] as? String } == ["unusable", "output", "gate"])
  }

  @Test func faultyProjectIsReportedAsValidateDoes() throws {
    try folder.writeProject()
    try folder.write("project/pairs.jsonl", "{}\n")
    let run = try build(["--json"])
    let validated = try Program.run(["validate", "project", "--json"], in: folder.path)
    #expect(run.status == 1)
    #expect(try run.json()["verdict"] as? String == "faulty")
    #expect(run.output == validated.output)
    #expect(run.errors == validated.errors)
    #expect(try folder.names() == ["project"])
  }

  @Test func bytesDependOnNothingButTheProject() throws {
    try folder.writeProject()
    #expect(try build(output: "plain", ["--jobs", "2"]).status == 3)
    let plain = try folder.archives(in: "plain")
    #expect(plain.count == 2)
    #expect(try build(output: "single", ["--jobs", "1"]).status == 3)
    #expect(try folder.archives(in: "single") == plain)
    for (variable, value) in [("TZ", "Asia/Kathmandu"), ("LC_ALL", "tr_TR.UTF-8"), ("HOME", "/")] {
      let run = try build(output: variable, environment: [variable: value])
      #expect(run.status == 3)
      #expect(try folder.archives(in: variable) == plain, "\(variable)")
    }
    try FileManager.default.moveItem(
      atPath: folder.path("project"), toPath: folder.path("elsewhere with spaces"))
    let moved = try Program.shell(
      #"umask 077; cd "$1" && "$0" build --output ../moved"#, ["elsewhere with spaces"],
      in: folder.path)
    #expect(moved.status == 3)
    #expect(try folder.archives(in: "moved") == plain)
  }

  @Test func quickstartIsReproducible() throws {
    try folder.copyQuickstart("a")
    try folder.copyQuickstart("b/deeper")
    #expect(try build(of: "a", output: "one", ["--jobs", "1"]).status == 3)
    #expect(
      try build(of: "b/deeper", output: "two", ["--jobs", "2"], environment: ["TZ": "Asia/Tokyo"])
        .status == 3)
    let archives = try folder.archives(in: "one")
    #expect(archives.count == 2)
    #expect(try folder.archives(in: "two") == archives)
  }

  @Test func timeOfTheSourceIsTheOnlyTime() throws {
    try folder.writeProject()
    let early = try build(output: "early", environment: ["SOURCE_DATE_EPOCH": "86400"])
    let late = try build(output: "late", environment: ["SOURCE_DATE_EPOCH": "172800"])
    #expect(early.status == 3)
    #expect(late.status == 3)
    let archive = TemporaryFolder.archive(apps[0])
    #expect(try folder.bytes("early/\(archive)") != folder.bytes("late/\(archive)"))
    let run = try Program.run(["verify", "early/\(archive)", "--json"], in: folder.path)
    let build = (try run.json()["manifest"] as? [String: Any])?["build"] as? [String: Any]
    #expect(build?["sourceDateEpoch"] as? Int == 86400)
  }

  @Test(arguments: ["yesterday", "-1", "1e9", "99999999999999999999"])
  func timeThatIsNoneFails(_ time: String) throws {
    try folder.writeProject()
    let run = try build(environment: ["SOURCE_DATE_EPOCH": time])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(
      run.errors == """
        error: 'SOURCE_DATE_EPOCH' is '\(time)', expected seconds since 1970, at most 8589934591

        """)
    #expect(try folder.names() == ["project"])
  }

  @Test func outputThatCannotBeMadeFails() throws {
    try folder.writeProject()
    try folder.write("file", "precious")
    for output in ["file", "file/deeper"] {
      let run = try build(output: output)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      #expect(
        run.errors == "error: file: cannot make the folder: a file of that name is there\n")
    }
    #expect(try folder.bytes("file") == Data("precious".utf8))
    #expect(try folder.names() == ["file", "project"])
  }
}
