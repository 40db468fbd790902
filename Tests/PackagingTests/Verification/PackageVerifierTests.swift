import Files
import TestSupport
import Testing
import Weights

@testable import Packaging

@Suite struct PackageVerifierTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let fault: String
    /// The archive, made from the sample's tar stream.
    let bytes: @Sendable (inout Tarball) throws -> [UInt8]
    var testDescription: String { name }

    /// A case that makes the archive's own bytes.
    init(
      raw name: String, _ fault: String,
      _ bytes: @escaping @Sendable (inout Tarball) throws -> [UInt8]
    ) {
      self.name = name
      self.fault = fault
      self.bytes = bytes
    }

    /// A case that makes another tar stream, soundly compressed.
    init(
      _ name: String, _ fault: String, _ edit: @escaping @Sendable (inout Tarball) throws -> Void
    ) {
      self.init(raw: name, fault) { tar in
        try edit(&tar)
        return try Tarball.compress(tar.bytes)
      }
    }
  }

  @Test(arguments: frames + entries + contents)
  func refuses(_ item: Case) throws {
    var tar = try Tarball()
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try item.bytes(&tar))
    let found = message { _ = try PackageVerifier.verify(path) } ?? "no error"
    #expect(matches(found, "\(path): \(item.fault)"), "\(found)")
  }

  /// Wherever an archive is cut, what is left is refused.
  @Test func refusesEveryTruncation() throws {
    let scratch = try TemporaryFolder()
    for bytes in [try Sample.archive.get(), try Sample.zip.get()] {
      // The first and last records byte by byte, between them every eleventh byte.
      for count in bytes.indices
      where count < 100 || count % 11 == 0 || count > bytes.count - 100 {
        let path = try scratch.write("a", Array(bytes.prefix(count)))
        #expect(throws: PackagingError.self, "\(count) bytes") {
          try PackageVerifier.verify(path)
        }
      }
    }
  }

  @Test func acceptsTheSample() throws {
    let scratch = try TemporaryFolder()
    let bytes = try Sample.archive.get()
    let package = try PackageVerifier.verify(try scratch.write("a.tar.zst", bytes))
    #expect(package.sha256 == ContentDigest(of: bytes))
    #expect(package.tarSHA256 == ContentDigest(of: try Tarball().bytes))
    #expect(package.byteCount == bytes.count)
    #expect(package.manifest.files.count == 5)
  }

  @Test func sampleSurvivesTakingApart() throws {
    #expect(try Tarball.compress(try Tarball().bytes) == (try Sample.archive.get()))
  }

  /// A flipped bit is refused, or (where zstd has two codes for one thing) changes no content.
  @Test func noFlippedBitChangesContent() throws {
    let bytes = try Sample.archive.get()
    let content = ContentDigest(of: try Tarball().bytes)
    var accepted = 0
    let scratch = try TemporaryFolder()
    // The frame's header and checksum whole, of its blocks every fourth byte.
    for index in bytes.indices
    where index < 32 || index % 4 == 0 || index > bytes.count - 8 {
      var broken = bytes
      broken[index] ^= 1 << UInt8(index % 8)
      let path = try scratch.write("a.tar.zst", broken)
      guard let package = try? PackageVerifier.verify(path) else { continue }
      accepted += 1
      #expect(package.tarSHA256 == content, "byte \(index)")
    }
    #expect(accepted < bytes.count / 100)
  }

  @Test func namesAFileThatIsNotThere() {
    #expect(
      message { _ = try PackageVerifier.verify("no/such.tar.zst") }
        == "no/such.tar.zst: cannot open: no such file or directory")
  }
}
