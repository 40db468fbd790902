import Files
import Packaging
import ProjectFixtures
import TestSupport
import Testing

@testable import Release

/// What a comparison tells while it goes on.
@Suite struct ComparisonStepTests {
  let project: SmallProject

  init() throws { project = try SmallProject() }

  private func steps(_ left: String, _ right: String) throws -> [ComparisonStep] {
    var steps: [ComparisonStep] = []
    _ = try Comparison(left, right) { steps.append($0) }
    return steps
  }

  @Test func packagesAreUnpackedAndTheirTensorsCompared() throws {
    let before = try project.build("before").packages[0].path
    try project.model("models/ranker", [0.25, 0.5])
    let after = try project.build("after").packages[0].path
    let steps = try steps(before, after)
    for path in [before, after] {
      let byteCount = try PackageReader.manifest(of: path).installedBytes
      #expect(steps.contains(.unpacking(byteCount, of: byteCount)))
    }
    #expect(steps.suffix(2) == [.comparingTensors(1, of: 2), .comparingTensors(2, of: 2)])
  }

  /// A file that is compared in depth counts with all of its bytes, too.
  @Test func outputsAreCountedByTheirBytes() throws {
    _ = try project.build("one")
    try project.model("models/ranker", [0.25, 0.5])
    _ = try project.build("other")
    let sides = ["one", "other"].map { project.scratch.path($0) }
    let files = try TemporaryFolder.files(below: sides[0]).filter { !$0.hasPrefix(".") }
    #expect(files.count == 5)
    let byteCount = files.reduce(0) { sum, file in
      sum + (sides.compactMap { FileStatus(of: "\($0)/\(file)")?.byteCount }.min() ?? 0)
    }
    let steps = try steps(sides[0], sides[1])
    #expect(steps.count >= files.count)
    #expect(steps.last == .comparing(byteCount, of: byteCount))
  }
}
