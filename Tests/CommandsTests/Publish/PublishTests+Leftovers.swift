import Foundation
import TestSupport
import Testing

/// What publishers leave that were ended by force.
extension PublishTests {
  private var left: [String] {
    [
      "repository/.ingot-publish-1y2p0ij32e8e7/package-0/manifest.json",
      "repository/blobs/.ingot-3w5e11264sg0f",
      "repository/apps/\(app)/metadata/.ingot-1",
      "repository/apps/\(app)/targets/\(app)/.ingot-zz",
    ]
  }

  /// Names that no publisher gives, or not there.
  private var others: [String] {
    [
      "repository/.ingot-1y2p0ij32e8e7/file", "repository/.ingot-2", "repository/blobs/.ingot-Mine",
      "repository/blobs/.ingot-a/file", "repository/apps/\(app)/.ingot-1",
    ]
  }

  private func leave() throws {
    for path in left + others { try folder.write(path, "left") }
  }

  @Test(arguments: [["refresh"], ["out"], ["rotate"]])
  func whatAKilledPublisherLeftIsRemoved(_ arguments: [String]) throws {
    #expect(try run(["out"]).status == 0)
    try leave()
    // Not by a run that changes nothing.
    #expect(try run(["out", "--dry-run"]).status == 0)
    #expect(left.allSatisfy(folder.exists))
    let run = try run(arguments)
    #expect(run.status == 0, "\(run.errors)")
    #expect(left.filter(folder.exists) == [])
    #expect(!folder.exists("repository/.ingot-publish-1y2p0ij32e8e7"))
    #expect(others.filter { !folder.exists($0) } == [])
  }

  /// What looks left may be the work of a publisher that runs.
  @Test func whatARunningPublisherWritesStays() throws {
    #expect(try run(["out"]).status == 0)
    try leave()
    let beside = try Program.shell(
      #"flock --shared repository/.lock "$0" publish refresh --repository repository --keys keys"#,
      in: folder.path)
    #expect(beside.status == 0, "\(beside.errors)")
    #expect(left.allSatisfy(folder.exists))
  }
}
