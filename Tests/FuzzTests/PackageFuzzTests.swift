import CZstd
import Files
import Formats
import StrictJSON
import TestSupport
import Testing
import Weights

@testable import Packaging

/// Manifests and archives. What `verify` takes is opened as it opens it: archive, receipts, models.
extension FuzzTests {
  private static let errors: [any Error.Type] = [PackagingError.self]

  @Test func manifests() {
    run("manifests", [SamplePackage.flows.manifest, SamplePackage.shared.manifest]) { bytes in
      parsing(FuzzTests.errors) {
        let manifest = try Manifest(bytes, origin: "f")
        let text = manifest.bytes
        let again = try Manifest(text, origin: "f")
        return text.allSatisfy { $0 < 0x80 } && again == manifest && again.bytes == text
      }
    }
  }

  /// Mutations of the compressed bytes.
  @Test func archives() throws {
    let scratch = try ScratchFile("a.tar.zst")
    run("archives", try SamplePackage.all.map { try Zstd.frame($0.tar) }) { bytes in
      check(bytes, scratch)
    }
  }

  /// Mutations of the tar stream in a sound frame; half of them with sound checksums.
  @Test func tarStreams() throws {
    let scratch = try ScratchFile("a.tar.zst")
    run("tar streams", SamplePackage.all.map(\.tar), mend: SamplePackage.withChecksums) { bytes in
      parsing(FuzzTests.errors) { try isSound(bytes, scratch) }
    }
  }

  /// Mutations of a manifest in a sound archive.
  @Test func packedManifests() throws {
    let scratch = try ScratchFile("a.tar.zst")
    let sample = SamplePackage.flows
    run("packed manifests", [sample.manifest]) { bytes in
      parsing(FuzzTests.errors) {
        try isSound(SamplePackage.tar([("manifest.json", bytes)] + sample.files), scratch)
      }
    }
  }

  /// Mutations of a receipt in an archive whose manifest agrees with it.
  @Test func packedReceipts() throws {
    let scratch = try ScratchFile("a.tar.zst")
    run("packed receipts", [SamplePackage.shared.receipt]) { bytes in
      let sample = SamplePackage.shared(receipt: bytes)
      return parsing(FuzzTests.errors) { try isSound(sample.tar, scratch) }
    }
  }

  /// Mutations of a zip; no byte of it may be another.
  @Test func zips() throws {
    let scratch = try ScratchFile("a.zip")
    let seeds = SamplePackage.all.map(\.zip)
    run("zips", seeds) { bytes in
      parsing(FuzzTests.errors) {
        try scratch.write(bytes)
        _ = try PackageVerifier.verifyOpening(scratch.path)
        return seeds.contains(bytes)
      }
    }
  }

  /// Mutations of a manifest in a sound zip.
  @Test func zippedManifests() throws {
    let scratch = try ScratchFile("a.zip")
    let sample = SamplePackage.flows
    run("zipped manifests", [sample.manifest]) { bytes in
      parsing(FuzzTests.errors) {
        let zip = SamplePackage.zip([("manifest.json", bytes)] + sample.files)
        try scratch.write(zip)
        let package = try PackageVerifier.verifyOpening(scratch.path)
        let count = Zip.byteCount(of: package.manifest, manifestBytes: bytes.count)
        return package.manifest.bytes == bytes && package.sha256 == ContentDigest(of: zip)
          && count == zip.count
      }
    }
  }

  /// Mutations of a model in a package in which everything else is made to fit.
  @Test func packedModels() throws {
    let (scratch, file) = (try ScratchFile("a.tar.zst"), try ScratchFile("m.safetensors"))
    run("packed models", [FuzzTests.compressedModel], mend: withHeaderLength) { bytes in
      parsing(FuzzTests.errors) {
        guard try isSound(SamplePackage.shared(model: bytes).tar, scratch) else { return false }
        // From a disk it opens as well.
        try file.write(bytes)
        let model = try? CompressedSafetensors.model(of: WeightCollection.open(file.path))
        return model != nil
      }
    }
  }

  /// Both forms of one package unpack to the same files.
  @Test func formsAgree() throws {
    for sample in SamplePackage.all {
      let (tar, zip) = (try ScratchFile("a.tar.zst"), try ScratchFile("a.zip"))
      try tar.write(try Zstd.frame(sample.tar))
      try zip.write(sample.zip)
      let packages = try [tar, zip].map { try PackageVerifier.verifyOpening($0.path) }
      #expect(packages[0].manifest == packages[1].manifest)
      #expect(packages[0].contents == packages[1].contents)
    }
  }

  private func check(_ frame: [UInt8], _ scratch: ScratchFile) -> Bool? {
    parsing(FuzzTests.errors) {
      try scratch.write(frame)
      let package = try PackageVerifier.verifyOpening(scratch.path)
      return package.byteCount == frame.count && package.sha256 == ContentDigest(of: frame)
        && SamplePackage.all.contains { ContentDigest(of: $0.tar) == package.tarSHA256 }
    }
  }

  /// Whether the accepted package is the one tar stream that its manifest describes.
  private func isSound(_ tar: [UInt8], _ scratch: ScratchFile) throws -> Bool {
    try scratch.write(try Zstd.frame(tar))
    let package = try PackageVerifier.verifyOpening(scratch.path)
    let manifest = package.manifest.bytes
    let count = package.manifest.tarByteCount(manifestBytes: manifest.count)
    return package.tarSHA256 == ContentDigest(of: tar) && count == tar.count
      && tar[Tar.blockSize...].starts(with: manifest)
      && !package.summary(isAuthenticated: false).isEmpty
  }
}

/// Frames as packages have them, made without the threads that `ZstdWriter` starts.
private enum Zstd {
  struct Failed: Error {}

  static func frame(_ bytes: [UInt8]) throws -> [UInt8] {
    guard let context = ZSTD_createCCtx() else { throw Failed() }
    defer { ZSTD_freeCCtx(context) }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1)
    var frame = [UInt8](repeating: 0, count: ZSTD_compressBound(bytes.count))
    let count = ZSTD_compress2(context, &frame, frame.count, bytes, bytes.count)
    guard ZSTD_isError(count) == 0 else { throw Failed() }
    return Array(frame[..<count])
  }
}
