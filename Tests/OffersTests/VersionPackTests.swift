import PackageNames
import StrictJSON
import Testing

@testable import Offers

@Suite struct VersionPackTests {
  private static let digest = String(repeating: "0a", count: 32)

  private static func pack(_ paths: [String]) throws -> VersionPack {
    let blob = VersionPack.Blob(length: 5, sha256: digest)
    return VersionPack(
      appID: "app", version: try #require(SemanticVersion("1.2.3")),
      files: paths.map { path in
        VersionPack.File(path: path, content: blob, whole: blob, deltas: [digest: blob])
      })
  }

  @Test func aPackReadsBack() throws {
    let pack = try Self.pack(["models/b/weight.bin", "manifest.json"])
    #expect(try VersionPack(pack.bytes, origin: "p") == pack)
    #expect(pack.files.map(\.path) == ["manifest.json", "models/b/weight.bin"])
    #expect(pack.installedByteCount == 10)
  }

  /// What a repository has to be, so that nothing of a package is read again.
  @Test func aPackKnowsItsArchiveAndItsBlobs() throws {
    let plain = try Self.pack(["a"])
    let pack = VersionPack(
      appID: "app", version: plain.version, archive: Self.digest, files: plain.files)
    #expect(try VersionPack(pack.bytes, origin: "p") == pack && pack != plain)
    let short = Self.digest.prefix(32)
    #expect(pack.blobs.map(\.path) == ["blobs/\(short).whole", "blobs/\(short)-\(short).delta"])
    let bytes = String(decoding: pack.bytes, as: UTF8.self)
    let other = bytes.replacing("\"archive\":\"0a", with: "\"archive\":\"0A")
    #expect(throws: JSONError.self) { try VersionPack(Array(other.utf8), origin: "p") }
  }

  /// Sums of lengths are what a device fetches, and writes.
  @Test func lengthsThatHaveNoSumAreRefused() throws {
    let text = String(decoding: try Self.pack(["a"]).bytes, as: UTF8.self)
    let other = text.replacing("\"length\":5", with: "\"length\":\(Int.max)")
    let error = #expect(throws: JSONError.self) { try VersionPack(Array(other.utf8), origin: "p") }
    #expect("\(try #require(error))".contains("0...1099511627776"))
  }

  @Test(arguments: [
    "../x", "/x", "a/../x", "a//x", ".x", "a/", "", "a\\x", "a b", "a\n", "é", "a/.hidden", "-x",
  ])
  func pathsThatLeadOutAreRefused(_ path: String) throws {
    let bytes = try Self.pack([path]).bytes
    #expect(throws: JSONError.self) { try VersionPack(bytes, origin: "p") }
  }

  @Test func namesThatDifferOnlyInCaseAreRefused() throws {
    let bytes = try Self.pack(["a/Model", "A/model"]).bytes
    #expect(throws: JSONError.self) { try VersionPack(bytes, origin: "p") }
  }

  @Test func pathsOfARepositoryNameVersions() throws {
    let version = try #require(SemanticVersion("1.2.3-rc.1"))
    let path = RepositoryPath.pack("app", version)
    #expect(path == "app/1.2.3-rc.1.pack")
    #expect(RepositoryPath.version(ofPack: path, "app") == version)
    #expect(RepositoryPath.version(ofPack: path, "ap") == nil)
    #expect(RepositoryPath.version(ofPack: "app/x.pack", "app") == nil)
  }
}
