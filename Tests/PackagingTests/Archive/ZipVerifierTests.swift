import Files
import TestSupport
import Testing
import Weights

@testable import Packaging

/// Zip archives that are none of ours.
@Suite struct ZipVerifierTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let fault: String
    let bytes: @Sendable () throws -> [UInt8]
    var testDescription: String { name }

    /// A case that makes the archive's own bytes.
    init(
      raw name: String, _ fault: String, _ bytes: @escaping @Sendable (ZipArchive) throws -> [UInt8]
    ) {
      self.name = name
      self.fault = fault
      self.bytes = { try bytes(try ZipArchive()) }
    }

    /// A case that changes records or contents of the sample.
    init(
      _ name: String, _ fault: String,
      _ edit: @escaping @Sendable (inout ZipArchive) throws -> Void
    ) {
      self.init(raw: name, fault) { zip in
        var zip = zip
        try edit(&zip)
        return zip.bytes
      }
    }

    /// A case of sound records around other files.
    init(
      files name: String, _ fault: String,
      _ edit: @escaping @Sendable (inout Tarball) throws -> Void
    ) {
      self.init(raw: name, fault) { _ in
        var tar = try Tarball()
        try edit(&tar)
        return try ZipArchive(of: tar).bytes
      }
    }
  }

  @Test(arguments: archives + headers + directories + files)
  func refuses(_ item: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.zip", try item.bytes())
    let found = message { _ = try PackageVerifier.verify(path) } ?? "no error"
    #expect(matches(found, "\(path): \(item.fault)"), "\(found)")
    let other = message { _ = try PackageExtractor.extract(path, to: scratch.path("out")) }
    #expect(other == found)
    #expect(try Folder.names(in: scratch.path) == ["a.zip"])
  }

  @Test func acceptsTheSample() throws {
    let scratch = try TemporaryFolder()
    let bytes = try Sample.zip.get()
    for name in ["a.zip", "a", "a.tar.zst.zip"] {
      let package = try PackageVerifier.verify(try scratch.write(name, bytes))
      #expect(package.sha256 == ContentDigest(of: bytes))
      #expect(package.tarSHA256 == nil)
      #expect(package.byteCount == bytes.count)
      #expect(package.contents.count == 5)
    }
  }

  @Test func unpacksTheSample() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.zip", try Sample.zip.get())
    let package = try PackageExtractor.extract(path, to: scratch.path("out"))
    #expect(try PackageReader.manifest(of: path) == package.manifest)
    for (path, digest) in package.contents {
      let file = try MappedFile(path: Folder.join(scratch.path("out"), path.string))
      #expect(ContentDigest(of: file) == digest)
    }
    let manifest = try MappedFile.contents(of: scratch.path("out/manifest.json"), limit: 1 << 20)
    #expect(manifest == package.manifest.bytes)
  }

  /// No byte of a zip may be another: each flipped bit is refused.
  @Test func noFlippedBitIsAccepted() throws {
    let scratch = try TemporaryFolder()
    let bytes = try Sample.zip.get()
    // The directory whole, of the rest every fifth byte.
    let directory = try ZipArchive().directory.count
    for index in bytes.indices where index % 5 == 0 || index > bytes.count - directory - 30 {
      var broken = bytes
      broken[index] ^= 1 << UInt8(index % 8)
      let path = try scratch.write("a", broken)
      #expect(throws: PackagingError.self, "byte \(index)") { try PackageVerifier.verify(path) }
    }
  }
}
