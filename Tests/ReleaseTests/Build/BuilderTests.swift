import Files
import Foundation
import Packaging
import Project
import ProjectFixtures
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

@Suite struct BuilderTests {
  @Test func buildsAPackageForEveryCustomer() throws {
    let project = try SmallProject()
    let report = try project.build()
    #expect(report.refused.isEmpty)
    #expect(report.packages.map(\.customer) == SmallProject.apps)
    #expect(report.packages.allSatisfy { !$0.isReused && $0.version == "1.4.0" })
    let files = try project.files()
    #expect(
      files.keys.sorted() == SmallProject.apps.sorted().map { "\($0)/\($0)-1.4.0.tar.zst" })
    for package in report.packages {
      let verified = try PackageVerifier.verify(package.path)
      #expect(verified.sha256.hex == package.sha256)
      #expect(verified.byteCount == package.bytes)
      #expect(verified.manifest.app.id == package.customer)
    }
    let second = try PackageVerifier.verify(report.packages[1].path).manifest
    #expect(
      second.models.map(\.identity) == [
        .flow(id: 3, name: "churn", modelVersion: 1), .shared(name: "ranker"),
        .flow(id: 2, name: "upsell", modelVersion: 7),
      ])
    #expect(second.models.map(\.gate.profile) == ["lenient", "standard", "lenient"])
    #expect(second.models[0].compression.originalBytes == 8)
  }

  @Test func computesNothingTwice() throws {
    let project = try SmallProject()
    var proving: [String] = []
    _ = try project.build { event in
      if case .proving(let model, _, let number, let count) = event {
        proving.append("\(number)/\(count) \(model)")
      }
    }
    #expect(proving == ["1/3 ranker", "2/3 upsell v7", "3/3 churn v1"])
  }

  @Test func goesOnPastARefusal() throws {
    let project = try SmallProject()
    try project.breakFlow()
    var events: [BuildEvent] = []
    let report = try project.build { events.append($0) }
    #expect(report.packages.map(\.customer) == [SmallProject.apps[0], SmallProject.apps[2]])
    #expect(report.refused.map(\.customer) == [SmallProject.apps[1]])
    #expect(report.refused.map(\.cause) == [.gate])
    let reasons = report.refused[0].reasons
    #expect(reasons.first?.hasPrefix("model 'churn v1': output drift m") == true, "\(reasons)")
    #expect(try project.files().count == 2)
    #expect(events.contains(.refusedCustomer(customer: SmallProject.apps[1])))
  }

  @Test func setsAsideAModelThatCannotBeCompressed() throws {
    let project = try SmallProject()
    try project.model("flows/churn/v1", [.nan, 1])
    var events: [BuildEvent] = []
    let report = try project.build { events.append($0) }
    #expect(report.packages.count == 2)
    #expect(report.refused.map(\.cause) == [.unusable])
    let isSaid = events.contains {
      if case .unusableModel(model: "churn v1", _) = $0 { true } else { false }
    }
    #expect(isSaid)
    let reason = report.refused.first?.reasons.first ?? ""
    #expect(reason.hasPrefix("model 'churn v1': tensor 'w'"), "\(reason)")
  }

  @Test func warnsOfWhatAnEarlierBuildLeft() throws {
    let project = try SmallProject()
    let first = try project.build()
    try project.breakFlow()
    var warnings: [String] = []
    let second = try project.build { if case .warning(let text) = $0 { warnings.append(text) } }
    let stale = first.packages[1].path
    #expect(warnings.contains("\(stale): is left from an earlier build; do not ship it"))
    #expect(Folder.kind(of: stale) == .file)
    // The reference set is another now, so the others' packages would differ, too.
    #expect(second.packages.isEmpty)
    #expect(second.refused.map(\.cause) == [.conflict, .gate, .conflict])
  }

  @Test func reusesAnArchiveThatIsThere() throws {
    let project = try SmallProject()
    let first = try project.build()
    let before = try project.files()
    let second = try project.build()
    #expect(second.packages.map(\.isReused) == [true, true, true])
    #expect(second.packages.map(\.sha256) == first.packages.map(\.sha256))
    #expect(try project.files() == before)
  }

  @Test func neverWritesAVersionTwice() throws {
    let project = try SmallProject()
    let path = try project.build().packages[0].path
    try AtomicFile.write([1, 2, 3], to: path)
    let report = try project.build()
    #expect(report.packages.map(\.isReused) == [true, true])
    #expect(
      report.refused == [
        BuildReport.Refusal(
          customer: SmallProject.apps[0], version: "1.4.0", cause: .conflict,
          reasons: [
            "\(path): is there with other content, and a version is never written twice; "
              + "raise 'version' in \(project.scratch.path("ingot.yaml"))",
            "it is no sound package: \(path): is not a zstd archive; remove it, and build again",
          ])
      ])
    #expect(try MappedFile.contents(of: path, limit: 10) == [1, 2, 3])
  }

  @Test func runsNothingForAFaultyProject() throws {
    let project = try SmallProject()
    try project.scratch.write("ingot.yaml", "ingot: 1\n")
    var events = 0
    #expect(throws: ProjectFaults.self) { try project.build { _ in events += 1 } }
    #expect(events == 0)
    #expect(Folder.kind(of: project.scratch.path("out")) == .missing)
  }

  @Test func aRefusalOfTheGateCountsMoreThanAnUnusableModel() throws {
    let project = try SmallProject()
    try project.breakFlow()
    try project.model("flows/upsell/v7", [.nan, 1])
    let report = try project.build()
    #expect(report.refused.map(\.cause) == [.unusable, .gate])
    let reasons = report.refused[1].reasons
    #expect(reasons.contains { $0.hasPrefix("model 'upsell v7': tensor 'w'") }, "\(reasons)")
    #expect(reasons.contains { $0.hasPrefix("model 'churn v1': output drift") }, "\(reasons)")
    #expect(report.packages.map(\.customer) == [SmallProject.apps[2]])
  }

  @Test func goesOnPastAPathThatCannotBeWritten() throws {
    let project = try SmallProject()
    let apps = SmallProject.apps
    // A file where a customer's folder must be, and a folder with the name of an archive.
    let file = try project.scratch.write("out/\(apps[1])", "x")
    let archive = project.scratch.path("out/\(apps[0])/\(apps[0])-1.4.0.tar.zst")
    try Folder.create(archive)
    let report = try project.build()
    #expect(report.packages.map(\.customer) == [apps[2]])
    #expect(report.refused.map(\.customer) == [apps[0], apps[1]])
    #expect(report.refused.map(\.cause) == [.output, .output])
    #expect(
      report.refused.map(\.reasons) == [
        ["\(archive): is a folder, expected a regular file"],
        ["\(file): cannot make the folder: a file of that name is there"],
      ])
    #expect(
      try Folder.names(in: project.scratch.path("out"))
        == (apps + [".lock", "SHA256SUMS", "index.jsonl"]).sorted())
    #expect(
      try Folder.names(in: project.scratch.path("out/\(apps[0])"))
        == ["\(apps[0])-1.4.0.tar.zst"])
  }

  /// Files for one customer must not land in the folder of another, or anywhere else.
  @Test func aCustomersFolderThatIsALinkIsNotFollowed() throws {
    let project = try SmallProject()
    let app = SmallProject.apps[0]
    let other = try TemporaryFolder()
    try Folder.create(project.scratch.path("out"))
    let link = project.scratch.path("out/\(app)")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: other.path)
    let words =
      "\(link): cannot write into: it is a symbolic link, which would lead out of the output; "
      + "remove the link"
    let first = try project.build()
    #expect(first.refused.map(\.cause) == [.output])
    #expect(first.refused.map(\.reasons) == [[words]])
    #expect(try Folder.names(in: other.path) == [])
    // A package that was built before is not found through a link either.
    try Folder.remove(link)
    #expect(try project.build().refused.isEmpty)
    try FileManager.default.moveItem(atPath: link, toPath: other.path("moved"))
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: other.path("moved"))
    #expect(try project.build().refused.map(\.reasons) == [[words]])
  }

  @Test func reportsAsJSON() throws {
    let report = BuildReport(
      models: [.init(model: "m", key: "k", verdict: .passed, isCached: true)],
      packages: [
        .init(
          customer: "c", version: "1.0.0", path: "o/p", sha256: "ab", bytes: 3,
          isReused: true)
      ],
      refused: [.init(customer: "d", version: "1.0.0", cause: .gate, reasons: ["r"])])
    #expect(
      report.json.compact
        == #"{"models":[{"key":"k","model":"m","sourceCheck":null,"stored":true,"#
        + #""verdict":"passed"}],"packages":"#
        + #"[{"bytes":3,"customer":"c","path":"o/p","reused":true,"sha256":"ab","#
        + #""verdict":"passed","version":"1.0.0"}],"refused":[{"cause":"gate","customer":"d","#
        + #""reasons":["r"],"verdict":"refused","version":"1.0.0"}]}"#)
  }
}

/// Builds whose bytes must not depend on where, when and how they run. Serial, since they change
/// the process's environment.
@Suite(.serialized) struct ReproducibilityTests {
  @Test func bytesDependOnNothingButTheInputs() throws {
    let project = try SmallProject()
    _ = try project.build("a", jobs: 1)
    let expected = try project.files("a")
    #expect(expected.count == 3)
    _ = try project.build("b", jobs: 2)
    #expect(try project.files("b") == expected)

    setenv("TZ", "Pacific/Kiritimati", 1)
    setlocale(LC_ALL, "C.UTF-8")
    let mask = umask(0o077)
    defer {
      unsetenv("TZ")
      setlocale(LC_ALL, "C")
      umask(mask)
    }
    let other = try SmallProject()
    _ = try other.build("elsewhere/c", jobs: 2)
    #expect(try other.files("elsewhere/c") == expected)
  }

  @Test func timeComesFromSourceDateEpoch() throws {
    let project = try SmallProject()
    let report = try project.build(epoch: "1795219200")
    let manifest = try PackageVerifier.verify(report.packages[0].path).manifest
    #expect(manifest.build.time.seconds == 1_795_219_200)
    #expect(
      message { _ = try project.build(epoch: "yesterday") }
        == "'SOURCE_DATE_EPOCH' is 'yesterday', expected seconds since 1970, at most 8589934591")
  }
}
