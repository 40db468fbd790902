import Files
import Foundation
import PackageNames
import Packaging
import Project
import ProjectFixtures
import Store
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Project
@testable import Release

/// Versions are written once and go up; the index remembers them.
@Suite struct VersionTests {
  private let project: SmallProject

  init() throws { project = try SmallProject() }

  private func setVersion(_ version: String) throws {
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("1.4.0", with: version))
  }

  private func shell(_ script: String, _ argument: String) throws {
    try #require(
      try Program.run(["-c", script, argument], program: "/bin/sh").status == 0)
  }

  private var indexPath: String { project.scratch.path("out/index.jsonl") }

  @Test func refusesToGoBack() throws {
    _ = try project.build()
    try setVersion("1.3.9")
    let report = try project.build()
    #expect(report.packages.isEmpty)
    #expect(report.refused.map(\.cause) == [.downgrade, .downgrade, .downgrade])
    #expect(
      report.refused[0].reasons == [
        "version 1.3.9 is older than 1.4.0, which the app has; raise 'version' in "
          + project.scratch.path("ingot.yaml")
      ])
    let downgrade = try #require(report.refused[0].downgrade)
    #expect(downgrade.version == "1.3.9" && downgrade.newest == "1.4.0")
    let named = report.naming { $0 == .allowDowngrade ? "X" : nil }
    #expect(named.refused[0].reasons == [report.refused[0].reasons[0] + ", or say X"])
    var request = try project.request()
    request.allowsDowngrade = true
    #expect(try Builder.build(request).packages.count == 3)
    // What was built once may be checked again.
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
  }

  @Test func writesNoSecondFormOfAVersion() throws {
    _ = try project.build()
    try Folder.remove(indexPath)
    try project.scratch.write(
      "ingot.yaml", SmallProject.contract.replacing("archive: tar.zst", with: "archive: zip"))
    let report = try project.build()
    #expect(report.refused.map(\.cause) == [.conflict, .conflict, .conflict])
    let words = report.refused[0].reasons[0]
    #expect(words.hasPrefix("version 1.4.0 is there as "), "\(words)")
  }

  @Test func doesNotGoBackWithoutAnIndexEither() throws {
    _ = try project.build()
    try Folder.remove(indexPath)
    try setVersion("1.3.0")
    #expect(try project.build().refused.map(\.cause) == [.downgrade, .downgrade, .downgrade])
  }

  /// A folder that cannot be listed may hold any version in any form.
  @Test func aNameThatIsNoTextIsNotPassedOver() throws {
    let folder = Folder.parent(of: try project.build().packages[0].path)
    try Folder.remove(indexPath)
    try Folder.remove(project.scratch.path("out/SHA256SUMS"))
    try setVersion("1.3.0")
    try shell(#"touch "$0/$(printf '\377')""#, folder)
    let report = try project.build()
    // Nothing could remove the folder otherwise.
    try shell(#"rm "$0/$(printf '\377')""#, folder)
    #expect(report.refused.map(\.cause) == [.output, .downgrade, .downgrade])
    #expect(
      report.refused[0].reasons == [
        "\(folder): cannot list: a name in it is not valid UTF-8"
      ])
  }

  @Test func remembersWhatIsGone() throws {
    let path = try project.build().packages[2].path
    try Folder.remove(path)
    // The same content may come back.
    #expect(try project.build().packages.map(\.isReused) == [true, true, false])
    try Folder.remove(path)
    try project.model("models/ranker", [0.5, 0.5])
    let report = try project.build()
    #expect(report.refused.map(\.cause) == [.conflict, .conflict, .conflict])
    #expect(
      report.refused[2].reasons.first?.hasPrefix("version 1.4.0 was built as '") == true,
      "\(report.refused[2].reasons)")
    #expect(Folder.kind(of: path) == .missing)
  }

  @Test func onlyAddsLines() throws {
    _ = try project.build()
    let first = try MappedFile.contents(of: indexPath, limit: 1 << 20)
    _ = try project.build()
    #expect(try MappedFile.contents(of: indexPath, limit: 1 << 20) == first)
    try setVersion("1.5.0")
    _ = try project.build()
    let second = try MappedFile.contents(of: indexPath, limit: 1 << 20)
    #expect(second.starts(with: first))
    #expect(second.split(separator: UInt8(ascii: "\n")).count == 6)
  }

  @Test func takesInArchivesThatTheIndexLost() throws {
    _ = try project.build()
    let index = try MappedFile.contents(of: indexPath, limit: 1 << 20)
    try Folder.remove(indexPath)
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
    #expect(try MappedFile.contents(of: indexPath, limit: 1 << 20) == index)
  }

  struct Damage: CustomTestStringConvertible {
    let testDescription: String
    let fault: String
    let change: @Sendable ([String]) -> [String]
  }

  @Test(arguments: [
    Damage(testDescription: "a line less", fault: "2:1: the line does not follow the one before it")
    { [$0[0], $0[2]] },
    Damage(
      testDescription: "lines turned", fault: "1:1: the line does not follow the one before it"
    ) { [$0[1], $0[0], $0[2]] },
    Damage(testDescription: "a digit", fault: "3:1: the line does not follow the one before it") {
      [$0[0], $0[1].replacing("1.4.0", with: "1.4.1"), $0[2]]
    },
    Damage(testDescription: "no JSON", fault: "3:1: a value is expected here") {
      [$0[0], $0[1], "x"]
    },
    Damage(testDescription: "an empty line", fault: "2:1: the line is empty") {
      [$0[0], "", $0[1], $0[2]]
    },
    Damage(
      testDescription: "a line beyond the limit",
      fault: "3:1: the line goes on beyond 12582912 bytes, the limit of a line"
    ) {
      [$0[0], $0[1], $0[2] + String(repeating: " ", count: 12 << 20)]
    },
  ])
  func findsADamagedIndex(_ damage: Damage) throws {
    _ = try project.build()
    let text = String(
      decoding: try MappedFile.contents(of: indexPath, limit: 1 << 20), as: UTF8.self)
    let lines = damage.change(text.split(separator: "\n").map(String.init))
    try Folder.remove(indexPath)
    try AtomicFile.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: indexPath)
    #expect(
      message { _ = try project.build() }
        == "\(indexPath):\(damage.fault); bring the file back from a backup, or remove it to have it "
        + "made anew")
  }

  @Test func findsALineThatIsCutShort() throws {
    _ = try project.build()
    let text = try MappedFile.contents(of: indexPath, limit: 1 << 20)
    try AtomicFile.write(Array(text.dropLast()), to: indexPath)
    #expect(
      message { _ = try project.build() }?.hasPrefix("\(indexPath):3:1: the line is cut short; ")
        == true)
  }

  /// The lines that are there are written again a piece at a time.
  @Test func onlyAddsLinesToAnIndexOfManyPieces() throws {
    var lines: [[UInt8]] = []
    var previous = ContentDigest(of: [])
    for number in 0..<2000 {
      let entry = ReleaseIndex.Entry(
        app: SmallProject.apps[0], version: try #require(SemanticVersion("0.\(number).0")),
        path: "\(SmallProject.apps[0])/\(SmallProject.apps[0])-0.\(number).0.zip",
        sha256: previous, byteCount: 1, inputs: previous, terms: previous,
        models: ["a": previous, "b": previous, "c": previous], signer: nil, attestations: [:])
      lines.append(Array(IndexLine.json(entry, after: previous).compact.utf8))
      previous = ContentDigest(of: lines[number])
    }
    let before = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
    try #require(before.count > 1 << 20)
    try Folder.create(project.scratch.path("out"))
    try AtomicFile.write(before, to: indexPath)
    _ = try project.build()
    let after = try MappedFile.contents(of: indexPath, limit: 8 << 20)
    #expect(after.starts(with: before))
    #expect(after.split(separator: UInt8(ascii: "\n")).count == 2003)
  }

  /// Nobody signed the list, so this finds accidents alone.
  @Test func findsAnIndexWhoseEndIsGone() throws {
    _ = try project.build()
    try setVersion("1.5.0")
    _ = try project.build()
    let whole = try MappedFile.contents(of: indexPath, limit: 1 << 20)
    let lines = whole.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
    // What the list names is not lost with its lines.
    try AtomicFile.write(Array(lines.dropLast().joined()), to: indexPath)
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
    #expect(try MappedFile.contents(of: indexPath, limit: 1 << 20) == whole)
    try AtomicFile.write(Array(lines.prefix(2).joined()), to: indexPath)
    #expect(
      message { _ = try project.build() }
        == "\(indexPath): ends behind line 2, SHA256SUMS says behind line 6; lines are missing")
    let found = ProjectValidator.validate(
      project.scratch.path, output: project.scratch.path("out"))
    #expect(found.faults.map(\.rule) == [.damagedIndex])
    try AtomicFile.write(whole, to: indexPath)
    #expect(try project.build().packages.map(\.isReused) == [true, true, true])
  }

  @Test func validationTellsWhatItCompares() throws {
    _ = try project.build()
    var steps: [ProjectValidator.Step] = []
    let found = ProjectValidator.validate(
      project.scratch.path, output: project.scratch.path("out")
    ) { steps.append($0) }
    #expect(found.isEmpty)
    #expect(steps.suffix(4) == (0...3).map { .hashingInputs($0, of: 3) })
  }

  @Test func listsTheReleaseForSha256sum() throws {
    let report = try project.build()
    let text = String(
      decoding: try MappedFile.contents(
        of: project.scratch.path("out/SHA256SUMS"), limit: 1 << 20), as: UTF8.self)
    let lines = report.packages.map { "\($0.sha256)  \($0.customer)/\($0.customer)-1.4.0.tar.zst" }
    let index = try MappedFile.contents(of: indexPath, limit: 1 << 20)
    let last = Array(index.dropLast().split(separator: UInt8(ascii: "\n"))[2])
    let mark =
      "# index.jsonl from 0 \(ContentDigest(of: [])) to 3 \(ContentDigest(of: last))\n"
    #expect(
      text == mark + lines.sorted { $0.dropFirst(66) < $1.dropFirst(66) }.joined(separator: "\n")
        + "\n")
  }
}
