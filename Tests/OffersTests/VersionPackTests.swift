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
