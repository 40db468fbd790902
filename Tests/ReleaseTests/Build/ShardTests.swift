import Files
import Packaging
import ProjectFixtures
import Store
import TestSupport
import Testing
import Weights

@testable import Release

/// Builds that several machines share.
@Suite struct ShardTests {
  private let project: SmallProject

  init() throws { project = try SmallProject() }

  private func request(_ output: String, store: String) throws -> BuildRequest {
    var request = try project.request(output)
    request.store = try ContentStore(folder: project.scratch.path(store), warn: { _ in })
    return request
  }

  /// Runs a shard and puts its result into the folder `results`.
  private func run(_ number: Int, of count: Int, store: String = "store") throws -> BuildReport {
    let output = "shard\(number)"
    let shard = try #require(Shard(number: number, of: count))
    let report = try Builder.build(shard, of: try request(output, store: store))
    let name = "shard-\(number)-of-\(count).json"
    try project.scratch.write(
      "results/\(name)",
      try MappedFile.contents(of: project.scratch.path("\(output)/\(name)"), limit: 1 << 20))
    return report
  }

  private func merge(_ output: String = "merged", store: String = "store") throws -> BuildReport {
    var request = try request(output, store: store)
    request.shards = project.scratch.path("results")
    return try Builder.build(request)
  }

  @Test func togetherMakeWhatOneBuildMakes() throws {
    let reports = [try run(1, of: 3), try run(2, of: 3), try run(3, of: 3)]
    let keys = reports.flatMap { $0.models.map(\.key) }
    #expect(keys.count == 3)
    #expect(Set(keys).count == 3)
    let merged = try merge()
    #expect(merged.models.map(\.isCached) == [true, true, true])
    _ = try project.build("alone")
    #expect(try project.files("merged") == project.files("alone"))
  }

  @Test func nothingIsPublishedWhileAShardIsMissing() throws {
    _ = try run(1, of: 3)
    _ = try run(3, of: 3)
    #expect(
      message { _ = try merge() }
        == "the shards do not make a whole build; nothing was published\n"
        + "shard 2 of 3 is missing; run it")
    #expect(try Folder.names(in: project.scratch.path("merged")) == [".lock"])
  }

  @Test func shardsOfAnotherBuildDoNotCount() throws {
    _ = try run(1, of: 2)
    try project.model("models/ranker", [0.5, 0.5])
    _ = try run(2, of: 2)
    let path = project.scratch.path("results/shard-1-of-2.json")
    #expect(
      message { _ = try merge() }
        == "the shards do not make a whole build; nothing was published\n"
        + "\(path): is of another build: its models or options differ; run it again")
  }

  @Test func shardsOfOtherCountsDoNotMix() throws {
    _ = try run(1, of: 2)
    _ = try run(2, of: 3)
    let text = message { _ = try merge() } ?? ""
    #expect(text.contains("shard-2-of-3.json: is of 3 shards, others are of 2"), "\(text)")
    #expect(text.contains("shard 2 of 2 is missing"), "\(text)")
  }

  @Test func mergingMakesNoModel() throws {
    _ = try run(1, of: 1)
    let text = message { _ = try merge(store: "empty") } ?? ""
    #expect(text.hasPrefix("model 'ranker' ("), "\(text)")
    #expect(
      text.hasSuffix(
        "is not in the store; run its shard again, or give the store that the shards used"))
    #expect(try Folder.names(in: project.scratch.path("merged")) == [".lock"])
  }

  @Test func aRefusalIsMergedToo() throws {
    try project.breakFlow()
    for number in 1...2 { _ = try run(number, of: 2) }
    let merged = try merge()
    #expect(merged.refused.map(\.cause) == [.gate])
    #expect(merged.packages.count == 2)
  }

  @Test func aModelThatCannotBeUsedDoesNotStopTheOthers() throws {
    try project.model("flows/churn/v1", [.nan, 1])
    for number in 1...2 { _ = try run(number, of: 2) }
    let merged = try merge()
    #expect(merged.refused.map(\.cause) == [.unusable])
    #expect(merged.packages.count == 2)
  }

  @Test func isTakenOnlyIfThereIsSuchAShard() {
    #expect(Shard(number: 1, of: 1) != nil)
    for (number, count) in [(0, 1), (2, 1), (1, 0), (-1, 3), (1, 10_001)] {
      #expect(Shard(number: number, of: count) == nil)
    }
  }
}
