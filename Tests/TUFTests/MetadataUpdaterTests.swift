import StrictJSON
import Testing

@testable import TUF

@Suite struct MetadataUpdaterTests {
  @Test func aFirstRefreshAsksForEachFileOnce() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    let asked = try await client.refresh(repository).asked
    #expect(asked == ["2.root.json", "timestamp.json", "1.snapshot.json", "1.targets.json"])
    let files = repository.files
    #expect(client.kept["timestamp"] == files["timestamp.json"])
    #expect(client.kept["snapshot"] == files["1.snapshot.json"])
    #expect(client.kept["targets"] == files["1.targets.json"])
  }

  @Test func aPollOfAnUnchangedRepositoryAsksForTwoFiles() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    try await client.refresh(repository)
    let asked = try await client.refresh(repository).asked
    #expect(asked == ["2.root.json", "timestamp.json"])
  }

  @Test func aTargetIsFoundWithWhatTheAppDecidesOn() async throws {
    let repository = try MemoryRepository()
    let facts = FileFacts(of: [1, 2, 3])
    repository.targets["app/model/1.pack"] = (facts, ["salt": "a:1"])
    try repository.publishNext()
    let updater = try await MemoryClient(repository).refresh(repository).updater
    let target = try await updater.target("app/model/1.pack")
    #expect(target.facts == facts)
    #expect(try target.custom?.string("salt") == "a:1")
    #expect(updater.place(of: target) == "app/model/\(facts.sha256 ?? "").1.pack")
    await #expect(throws: MetadataError.noTarget(path: "app/model/2.pack")) {
      try await updater.target("app/model/2.pack")
    }
  }

  /// Serves what an attacker kept of an earlier version.
  @Test(arguments: ["timestamp.json", "2.snapshot.json", "2.targets.json"])
  func olderFilesAreRefused(_ name: String) async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    let old = repository.files
    try repository.publishNext()
    try await client.refresh(repository)
    let kept = client.kept
    repository.files[name] = old[name.replacing("2.", with: "1.")]
    if name != "timestamp.json" { for role in ["snapshot", "targets"] { client.kept[role] = nil } }
    await #expect(throws: MetadataError.self) { try await client.refresh(repository) }
    #expect(client.kept["timestamp"] == kept["timestamp"])
  }

  @Test func anOlderTimestampNamesBothVersions() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    let old = repository.files["timestamp.json"]
    try repository.publishNext()
    try await client.refresh(repository)
    repository.files["timestamp.json"] = old
    await #expect(throws: MetadataError.rollback(file: "timestamp.json", found: 1, trusted: 2)) {
      try await client.refresh(repository)
    }
  }

  /// A version that has no next one.
  @Test(arguments: ["root", "timestamp", "snapshot", "targets"])
  func theLastVersionIsRefused(_ role: String) async throws {
    let repository = try MemoryRepository()
    repository.versions[role] = Int.max
    try repository.publishRoot()
    try repository.publish()
    let root = try #require(repository.files["\(repository.version("root")).root.json"])
    let client = MemoryClient(root: root)
    let error = await #expect(throws: MetadataError.self) { try await client.refresh(repository) }
    #expect("\(try #require(error))".contains("1...9007199254740991"))
  }

  @Test func metadataOfAnotherAppAreRefused() async throws {
    let (own, other) = (try MemoryRepository(), try MemoryRepository(appID: "other", seed: 2))
    let client = try MemoryClient(own)
    try other.publishNext()
    await #expect(throws: MetadataError.unsigned(file: "timestamp.json", found: 0, needed: 1)) {
      try await client.refresh(other)
    }
    // The other one's next root is not signed by this one's keys.
    other.versions["root"] = 2
    try other.publishRoot()
    await #expect(throws: MetadataError.unsigned(file: "2.root.json", found: 0, needed: 1)) {
      try await client.refresh(other)
    }
    #expect(try client.version("root") == 1)
  }

  @Test func sharedKeysDoNotMakeAnotherAppsMetadataOnesOwn() async throws {
    let (own, other) = (try MemoryRepository(), try MemoryRepository(appID: "other"))
    let client = try MemoryClient(own)
    let expected = MetadataError.foreign(file: "timestamp.json", found: "other", expected: "app")
    await #expect(throws: expected) { try await client.refresh(other) }
  }

  @Test func anExpiredRootIsNotEnough() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    await #expect(throws: MetadataError.self) {
      try await client.refresh(repository, at: 2_000_000_000)
    }
    #expect(client.kept["timestamp"] == nil)
    try await client.refresh(repository, at: 1_999_999_999)
  }

  @Test func anExpiredTimestampIsNamedWithBothMoments() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    repository.expires = UpdateTime(seconds: 1_800_000_000)
    try repository.publishNext()
    let expected = MetadataError.expired(
      file: "timestamp.json", expires: UpdateTime(seconds: 1_800_000_000),
      now: UpdateTime(seconds: 1_900_000_000))
    await #expect(throws: expected) { try await client.refresh(repository) }
  }

  @Test func rootsFollowEachOtherByTheKeysOfBoth() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    let old = repository.signers["root"] ?? []
    repository.signers["root"] = [try MemoryRepository.signer(200)]
    repository.versions["root"] = 2
    try repository.publishRoot()
    await #expect(throws: MetadataError.unsigned(file: "2.root.json", found: 0, needed: 1)) {
      try await client.refresh(repository)
    }
    try repository.publishRoot(by: old)
    try await client.refresh(repository)
    #expect(try client.version("root") == 2)
    #expect(client.kept["root"] == repository.files["2.root.json"])
  }

  @Test func oneOfTwoKeysIsNotEnough() async throws {
    let repository = try MemoryRepository()
    let first = repository.signers["root"] ?? []
    let second = try MemoryRepository.signer(201)
    repository.signers["root"] = first + [second]
    repository.thresholds["root"] = 2
    try repository.publishRoot()
    let client = try MemoryClient(repository)
    repository.versions["root"] = 2
    try repository.publishRoot()
    let both = repository.files["2.root.json"]
    repository.signers["root"] = [second]
    repository.thresholds["root"] = 1
    try repository.publishRoot()
    await #expect(throws: MetadataError.unsigned(file: "2.root.json", found: 1, needed: 2)) {
      try await client.refresh(repository)
    }
    repository.files["2.root.json"] = both
    try await client.refresh(repository)
    #expect(try client.version("root") == 2)
  }

  @Test func aVersionThatRanAwayIsTakenBackWithAnotherKey() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    for role in ["timestamp", "snapshot", "targets"] { repository.versions[role] = 1 << 31 }
    try repository.publish()
    try await client.refresh(repository)
    for role in ["timestamp", "snapshot"] {
      repository.versions[role] = 1
      repository.signers[role] = [try MemoryRepository.signer(202)]
    }
    repository.versions["targets"] = 1
    repository.versions["root"] = 2
    try repository.publishRoot()
    try repository.publish()
    try await client.refresh(repository)
    #expect(try client.version("timestamp") == 1)
    #expect(try client.version("targets") == 1)
  }

  @Test func aTimestampWithoutEndIsCut() async throws {
    let repository = try MemoryRepository()
    let client = try MemoryClient(repository)
    repository.files["timestamp.json"] = [UInt8](repeating: 32, count: 16_385)
    await #expect(throws: MetadataError.tooLong(file: "timestamp.json", limit: 16_384)) {
      try await client.refresh(repository)
    }
  }

  /// Every byte of every file, changed in one bit. The digests of the lists hold every byte; of the timestamp
  /// the signature holds what is signed.
  @Test(arguments: ["timestamp.json", "1.snapshot.json", "1.targets.json"])
  func noBitCanBeChanged(_ name: String) async throws {
    let repository = try MemoryRepository()
    let whole = try #require(repository.files[name])
    let text = String(decoding: whole, as: UTF8.self)
    let signed = try #require(text.firstRange(of: "\"signed\":{"))
    let start = text[..<signed.upperBound].utf8.count
    let role = name.split(separator: ".").dropLast().last.map(String.init) ?? ""
    for place in whole.indices {
      var bytes = whole
      bytes[place] ^= 1
      repository.files[name] = bytes
      let client = try MemoryClient(repository)
      _ = try? await client.refresh(repository)
      if name != "timestamp.json" || place >= start && place < whole.count - 2 {
        #expect(client.kept[role] == nil, "byte \(place)")
      }
    }
  }

  /// One key in other letters does not sign twice.
  @Test func aKeyCountsOnceHoweverItIsWritten() async throws {
    let repository = try MemoryRepository()
    let signer = try MemoryRepository.signer(203)
    let upper = MetadataKey(
      type: "ed25519", scheme: "ed25519", publicText: signer.key.publicText.uppercased())
    try #require(upper.id != signer.key.id)
    let role = Role(keyIDs: [signer.key.id, upper.id], threshold: 2)
    let content = MetadataContent.timestamp(
      version: 1, expires: repository.expires, appID: "app",
      snapshot: ListedFile(version: 1, facts: FileFacts(of: [])))
    let bytes = try content.signed(by: [signer, Renamed(key: upper, signer: signer)])
    #expect(throws: MetadataError.unsigned(file: "t", found: 1, needed: 2)) {
      try SignedFile(bytes, origin: "t").check(role, KeyRing([signer.key, upper]))
    }
  }

  private struct Renamed: MetadataSigner {
    let key: MetadataKey
    let signer: Ed25519Signer
    func sign(_ bytes: [UInt8]) throws -> [UInt8] { try signer.sign(bytes) }
  }
}
