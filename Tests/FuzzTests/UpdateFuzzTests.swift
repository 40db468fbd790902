import Crypto
import Deltas
import Files
import Offers
import PackageNames
import StrictJSON
import Testing
import Updates

@testable import TUF

/// What a device reads of an update repository.
extension FuzzTests {
  private static func metadata() throws -> [[UInt8]] {
    let signer = Ed25519Signer(
      try Curve25519.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32)))
    let role = Role(keyIDs: [signer.key.id], threshold: 1)
    let expires = UpdateTime(seconds: 2_000_000_000)
    let listed = ListedFile(version: 1, facts: FileFacts(of: [1, 2]))
    let target = (facts: FileFacts(of: [3]), custom: ["salt": "s"] as JSONValue?)
    return try [
      MetadataContent.root(
        version: 1, expires: expires, appID: "a", keys: [signer.key], root: role, timestamp: role,
        snapshot: role, targets: role),
      .timestamp(version: 1, expires: expires, appID: "a", snapshot: listed),
      .snapshot(version: 1, expires: expires, appID: "a", targets: listed),
      .targets(version: 1, expires: expires, appID: "a", targets: ["a/1.pack": target]),
    ].map { try $0.signed(by: [signer]) }
      + bytes([
        #"""
        {"signatures":[],"signed":{"_type":"targets","spec_version":"1.0.31","version":1,"expires":"2030-01-01T00:00:00Z",
        "targets":{},"delegations":{"keys":{},"roles":[{"name":"r","keyids":[],"threshold":1,"terminating":true,"paths":["a/[b-d]*"]}]}}}
        """#
      ])
  }

  /// Reads a file as each kind; what is read has to be written as it was signed.
  @Test func updateMetadata() throws {
    run("update metadata", try FuzzTests.metadata()) { bytes in
      parsing([MetadataError.self]) {
        let file = try SignedFile(bytes, origin: "f.json")
        let readers: [(SignedFile) throws -> Void] = [
          { _ = try Root($0) }, { _ = try Timestamp($0) }, { _ = try Snapshot($0) },
          { file in
            for role in try Targets(file).delegations?.roles ?? [] { _ = role.covers("a/bc") }
          },
        ]
        let read = readers.filter { (try? $0(file)) != nil }
        guard !read.isEmpty else { _ = try Root(file); return false }
        return read.count == 1
      }
    }
  }

  @Test func deltas() throws {
    let old = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
    let new = old.map { $0 &+ 1 } + [1, 2, 3]
    let (base, made) = (try ScratchFile("old"), try ScratchFile("new"))
    try base.write(old)
    try made.write(new)
    let (before, after) = (try MappedFile(path: base.path), try MappedFile(path: made.path))
    let writer = DeltaWriter(of: after, FileIdentity(of: after), workers: 1)
    let scratch = try ScratchFile("given")
    func delta(_ write: (inout AtomicFile) throws -> Void) throws -> [UInt8] {
      var output = try AtomicFile(path: scratch.path + ".made")
      try write(&output)
      try output.commit()
      return try MappedFile.contents(of: scratch.path + ".made", limit: 1 << 20)
    }
    let seeds = [
      try delta { try writer.writeWhole(to: &$0) },
      try delta { try writer.write(from: before, FileIdentity(of: before), to: &$0) },
    ]
    run("deltas", seeds, share: 4) { bytes in
      parsing([DeltaError.self, FileError.self]) {
        try scratch.write(bytes)
        var result: [UInt8] = []
        let header = try DeltaHeader(bytes, origin: "f")
        let own = header.old == .nothing ? nil : before
        try DeltaReader(
          try MappedFile(path: scratch.path), old: own, expected: FileIdentity(of: after)
        ).apply { piece in
          for place in 0..<piece.byteCount {
            result.append(unsafe piece.unsafeLoad(fromByteOffset: place, as: UInt8.self))
          }
        }
        return result == new
      }
    }
  }

  @Test func packsOfVersions() throws {
    let version = try #require(SemanticVersion("1.2.3"))
    let blob = VersionPack.Blob(length: 3, sha256: String(repeating: "0a", count: 32))
    let pack = VersionPack(
      appID: "app", version: version,
      files: [
        VersionPack.File(path: "a/b", content: blob, whole: blob, deltas: [blob.sha256: blob])
      ])
    run("packs of versions", [pack.bytes]) { bytes in
      parsing([JSONError.self]) {
        let pack = try VersionPack(bytes, origin: "f")
        let sorted = VersionPack(appID: pack.appID, version: pack.version, files: pack.files)
        return try VersionPack(sorted.bytes, origin: "g") == sorted
      }
    }
  }
}
