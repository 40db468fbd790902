import Files
import Formats
import TestSupport
import Testing
import Weights

@testable import Packaging

/// A package whose digests and receipts all fit is refused unless its models are models.
@Suite struct ModelOpeningTests {
  private static let model = "models/encoder/model.safetensors"

  /// A package with one model, in which something else lies in the model's place; manifest, receipt
  /// and bill of materials are forged to fit.
  private func forged(_ bytes: [UInt8]) throws -> [UInt8] {
    let plan = try PackageContents(
      try Sample.details(), [try Sample.encoder.get().packaged(as: .shared(name: "encoder"))])
    var parts = try LooseParts(of: try Sample.bytes(of: plan))
    let old = try #require(parts.parts.first { $0.path == Self.model }).bytes
    try parts.replace(Self.model, bytes)
    let receipt = try #require(parts.parts.first { $0.role == .receipt })
    let text = String(decoding: receipt.bytes, as: UTF8.self)
    try parts.replace(
      receipt.path,
      Array(
        text.replacing(ContentDigest(of: old).hex, with: ContentDigest(of: bytes).hex).utf8))
    return try parts.archive()
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let fault: String
  }

  @Test(arguments: [
    Case(
      testDescription: "a shell script", bytes: Array("#!/bin/sh\nrm -rf ~\n".utf8),
      fault: "the header is said to have "),
    Case(
      testDescription: "an empty file", bytes: [],
      fault: "has 0 bytes, a safetensors file has at least 8"),
    Case(
      testDescription: "seven bytes", bytes: [1, 2, 3, 4, 5, 6, 7],
      fault: "has 7 bytes, a safetensors file has at least 8"),
    Case(
      testDescription: "a safetensors file of nothing",
      bytes: [2, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8),
      fault: "nothing in it says which model it is"),
    Case(
      testDescription: "a header that claims more than there is",
      bytes: [255, 255, 255, 255, 255, 255, 255, 127] + Array("{}".utf8),
      fault: "the header is said to have 9223372036854775807 bytes"),
  ])
  func refusesWhatIsNoModel(_ test: Case) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try forged(test.bytes))
    // All that a manifest can say of it fits.
    #expect(message { _ = try PackageVerifier.verify(path) } == nil)
    let found = message { _ = try PackageVerifier.verifyOpening(path) } ?? "no error"
    #expect(
      found.hasPrefix("\(path): model '\(Self.model)' cannot be opened: \(Self.model): "),
      "\(found)")
    #expect(found.contains(test.fault), "\(found)")
  }

  @Test func opensWhatTheGateOpened() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try Sample.archive.get())
    let opened = try PackageVerifier.verifyOpening(path)
    #expect(opened.sha256 == (try PackageVerifier.verify(path)).sha256)
    #expect(opened.manifest.models.count == 2)
    let zip = try scratch.write("a.zip", try Sample.zip.get())
    #expect(try PackageVerifier.verifyOpening(zip).manifest == opened.manifest)
  }

  /// Of a single file nothing is held but its header.
  @Test func aSafetensorsModelNeedsNoMemoryForItsNumbers() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try Sample.archive.get())
    #expect(message { _ = try PackageVerifier.verifyOpening(path, memory: 0) } == nil)
  }

  @Test(arguments: [ModelFormat.safetensors, .mlpackage], [0, 500, .max])
  func opensBothEncodersFromMemoryAndDisk(_ format: ModelFormat, _ memory: Int) throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try ProvenClip(format: format).archive())
    let folder = scratch.path("temporary")
    try Folder.create(folder)
    let package = try PackageVerifier.verifyOpening(path, memory: memory, spillingTo: folder)
    #expect(package.manifest.models.count == 2)
    #expect(try Folder.names(in: folder) == [])
  }

  @Test func refusesAFolderThatIsNoCoreMLPackage() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try ProvenFolder().archive())
    #expect(message { _ = try PackageVerifier.verify(path) } == nil)
    let found = message { _ = try PackageVerifier.verifyOpening(path) } ?? "no error"
    #expect(
      found.hasPrefix("\(path): model 'models/encoder/model.mlpackage' cannot be opened: "),
      "\(found)")
  }

  /// What does not fit in memory needs a place on a disk, and says so.
  @Test func saysThatThereIsNoPlaceForAFolder() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("a.tar.zst", try ProvenFolder().archive())
    let folder = scratch.path("none")
    let found =
      message { _ = try PackageVerifier.verifyOpening(path, memory: 0, spillingTo: folder) }
    #expect(
      found?.hasPrefix("\(path): models/encoder/model.mlpackage/") == true
        && found?.contains(": cannot unpack into '\(folder)': ") == true
        && found?.hasSuffix("; name a folder with room in TMPDIR") == true,
      "\(found ?? "no error")")
    #expect(message { _ = try PackageVerifier.verify(path) } == nil)
  }
}
