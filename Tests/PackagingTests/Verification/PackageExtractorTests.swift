import Files
import TestSupport
import Testing
import Weights

@testable import Packaging

@Suite struct PackageExtractorTests {
  /// Every file in a folder, by its path in there.
  private func files(in folder: String, _ prefix: String = "") throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in try Folder.names(in: folder) {
      let path = Folder.join(folder, name)
      switch Folder.kind(of: path) {
      case .folder:
        files.merge(try self.files(in: path, "\(prefix)\(name)/")) { first, _ in first }
      default: files[prefix + name] = try MappedFile.contents(of: path, limit: 1 << 20)
      }
    }
    return files
  }

  @Test func writesEveryFileAndNothingElse() throws {
    let scratch = try TemporaryFolder()
    let archive = try scratch.write("a.tar.zst", try Sample.archive.get())
    let package = try PackageExtractor.extract(archive, to: scratch.path("out"))
    let expected = try Tarball().entries.reduce(into: [:]) { all, entry in
      all[Tarball.name(of: entry)] = entry.content
    }
    #expect(try files(in: scratch.path("out")) == expected)
    #expect(expected.count == 6)
    #expect(package.manifest.bytes == expected["manifest.json"])
    #expect(package.contents.count == 5)
    #expect(package.contents.allSatisfy { ContentDigest(of: expected["\($0)"] ?? []) == $1 })
    #expect(try Folder.names(in: scratch.path).sorted() == ["a.tar.zst", "out"])
  }

  @Test func tellsHowFarItIs() throws {
    let scratch = try TemporaryFolder()
    let archive = try scratch.write("a.tar.zst", try Sample.archive.get())
    let byteCount = try PackageReader.manifest(of: archive).installedBytes
    var unpacked: [Int] = [], opened: [Int] = []
    _ = try PackageExtractor.extract(archive, to: scratch.path("out")) {
      unpacked.append($0)
      #expect($1 == byteCount)
    }
    _ = try PackageVerifier.verifyOpening(archive) { read, _ in opened.append(read) }
    #expect(unpacked.last == byteCount && unpacked == unpacked.sorted())
    #expect(opened == unpacked)
  }

  @Test func writesTheFoldersOfModels() throws {
    let proven = try ProvenFolder()
    let scratch = try TemporaryFolder()
    let archive = try scratch.write("a.tar.zst", try proven.archive())
    _ = try PackageExtractor.extract(archive, to: scratch.path("out"))
    let files = try files(in: scratch.path("out"))
    #expect(files[ProvenFolder.weightsPath] == Array(0..<200))
    #expect(files["models/encoder/tokenizer.json"] == ProvenFolder.tokenizer)
  }

  @Test(
    arguments: PackageVerifierTests.frames + PackageVerifierTests.entries
      + PackageVerifierTests.contents)
  func keepsNothingOfWhatIsNotSound(_ item: PackageVerifierTests.Case) throws {
    var tar = try Tarball()
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try item.bytes(&tar))
    let found = message { _ = try PackageExtractor.extract(path, to: scratch.path("out")) }
    #expect(found?.hasPrefix(path) == true, "\(found ?? "no error")")
    #expect(try Folder.names(in: scratch.path) == ["a.tar.zst"])
  }

  @Test func replacesNothing() throws {
    let scratch = try TemporaryFolder()
    let archive = try scratch.write("a.tar.zst", try Sample.archive.get())
    let file = try scratch.write("out/mine", [1])
    #expect(
      message { _ = try PackageExtractor.extract(archive, to: scratch.path("out")) }
        == "\(scratch.path("out")): cannot write: a folder of that name is there")
    #expect(try MappedFile.contents(of: file, limit: 1) == [1])
    #expect(try Folder.names(in: scratch.path).sorted() == ["a.tar.zst", "out"])
  }

  @Test func namesAPlaceThatIsNotThere() throws {
    let scratch = try TemporaryFolder()
    let archive = try scratch.write("a.tar.zst", try Sample.archive.get())
    let target = scratch.path("no/such")
    #expect(
      message { _ = try PackageExtractor.extract(archive, to: target) }
        == "\(target): cannot write: no such file or directory")
  }
}

@Suite struct PackageReaderTests {
  @Test func readsTheManifestAlone() throws {
    let scratch = try TemporaryFolder()
    let bytes = try Sample.archive.get()
    let path = try scratch.write("a.tar.zst", bytes)
    #expect(try PackageReader.manifest(of: path) == (try Tarball().manifest))
    // What lies behind the manifest is not looked at.
    var tar = try Tarball()
    tar.entries[1].content[60] ^= 1
    let broken = try scratch.write("b.tar.zst", try Tarball.compress(tar.bytes))
    #expect(try PackageReader.manifest(of: broken) == (try Tarball().manifest))
    tar.entries.swapAt(0, 3)
    let swapped = try scratch.write("c.tar.zst", try Tarball.compress(tar.bytes))
    #expect(
      message { _ = try PackageReader.manifest(of: swapped) }
        == "\(swapped): the first entry is 'receipts/encoder.json', expected 'manifest.json'")
  }

  @Test func handsOverReceipts() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try Sample.archive.get())
    let (package, receipts) = try PackageReader.receipts(of: path)
    let tar = try Tarball()
    #expect(package.manifest == (try tar.manifest))
    #expect(
      receipts == [
        try PackagePath("receipts/encoder.json"): tar.entries[3].content,
        try PackagePath("receipts/onboarding_upsell.json"): tar.entries[4].content,
      ])
    var broken = tar
    broken.entries[1].content[60] ^= 1
    let other = try scratch.write("b.tar.zst", try Tarball.compress(broken.bytes))
    #expect(throws: PackagingError.self) { try PackageReader.receipts(of: other) }
  }
}
