import Files
import Formats
import Foundation
import TestSupport
import Testing
import Weights
import Zstd

@testable import Packaging

@Suite struct PackageWriterTests {
  private func write(
    _ scratch: TemporaryFolder, _ name: String, workers: Int = 1, models: [PackagedModel]? = nil
  ) throws -> [UInt8] {
    let path = scratch.path(name)
    let plan = try PackageContents(try Sample.details(), try models ?? Sample.models())
    let package = try PackageWriter(workers: workers).write(plan, to: path)
    let bytes = try MappedFile.contents(of: path, limit: 1 << 20)
    #expect(ContentDigest(of: bytes) == package.sha256)
    #expect(package.tarSHA256 == ContentDigest(of: try Tarball.decompress(bytes)))
    #expect(package.manifest == plan.manifest)
    #expect(package.path == path)
    #expect(package.byteCount == bytes.count)
    return bytes
  }

  @Test func givesTheSameBytes() throws {
    let scratch = try TemporaryFolder()
    let expected = try Sample.archive.get()
    #expect(try write(scratch, "a") == expected)
    #expect(try write(scratch, "b", workers: 2) == expected)
    #expect(try write(scratch, "c", workers: 0) == expected)
    #expect(try write(scratch, "d", models: Sample.models().reversed()) == expected)
  }

  @Test func givesTheSameBytesFromOtherFolders() throws {
    let scratch = try TemporaryFolder()
    let encoder = try ProvenModel(seed: 0.25)
    let upsell = try ProvenModel(seed: 0.75)
    let models = [
      try encoder.packaged(as: .shared(name: "encoder")),
      try upsell.packaged(as: .flow(id: 8362, name: "onboarding_upsell", modelVersion: 73)),
    ]
    let bytes = try withExtendedLifetime((encoder, upsell)) {
      try write(scratch, "a", models: models)
    }
    #expect(bytes == (try Sample.archive.get()))
  }

  @Test func givesTheSameTarWithManyPieces() throws {
    // More than one read of the file and more than one job of zstd.
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<(9 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) }
    func compressed(workers: Int, piece: Int) throws -> ContentDigest {
      let zstd = try ZstdWriter(workers: workers)
      try zstd.begin(byteCount: bytes.count)
      var hash = DigestStream()
      for start in stride(from: 0, to: bytes.count, by: piece) {
        let end = min(start + piece, bytes.count)
        try unsafe zstd.compress(
          Array(bytes[start..<end]).span.bytes, isLast: end == bytes.count
        ) { hash.update($0) }
      }
      return hash.finish()
    }
    let expected = try compressed(workers: 1, piece: 1 << 20)
    #expect(try compressed(workers: 2, piece: 1 << 20) == expected)
    #expect(try compressed(workers: 3, piece: 70_001) == expected)
  }

  @Test func refusesAForeignReceipt() throws {
    let (encoder, upsell) = (try Sample.encoder.get(), try Sample.upsell.get())
    #expect(
      message {
        _ = try PackagedModel(
          upsell.emitted, receipt: encoder.receipt, identity: .shared(name: "x"),
          details: upsell.details)
      }
        == "model 'x': the receipt proves \(encoder.emitted.digest), "
        + "the file is \(upsell.emitted.digest)")
  }

  @Test func refusesAModelThatChangedAfterTheGate() throws {
    let proven = try ProvenModel(seed: 0.5)
    let model = try proven.packaged(as: .shared(name: "x"))
    let path = proven.emitted.path
    var bytes = try MappedFile.contents(of: path, limit: 1 << 20)
    bytes[bytes.count - 1] ^= 1
    try AtomicFile.write(bytes, to: path)
    let target = proven.scratch.path("p")
    #expect(
      message {
        _ = try PackageWriter(workers: 1).write(
          try PackageContents(try Sample.details(), [model]), to: target)
      }
        == "\(path): has changed since it was proven: the receipt proves "
        + "\(proven.emitted.digest), found \(ContentDigest(of: bytes))")
    #expect(
      try Folder.names(in: proven.scratch.path).sorted() == [
        "model", "references.jsonl", "small.safetensors",
      ])
    try AtomicFile.write(bytes + [0], to: path)
    #expect(
      message {
        _ = try PackageWriter(workers: 1).write(
          try PackageContents(try Sample.details(), [model]), to: target)
      }
        == "\(path): has changed since it was written: had \(bytes.count) bytes, "
        + "has \(bytes.count + 1)")
  }

  /// A signature is made over what the writer knows, not over what a file says a moment later.
  @Test func theDigestIsOfTheBytesThatWereWritten() throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("p")
    let plan = try PackageContents(
      try Sample.details(), [try Sample.encoder.get().packaged(as: .shared(name: "x"))])
    for form in [ArchiveForm.tarZst, .zip] {
      var seen: [UInt8] = []
      let package = try PackageWriter(workers: 1).write(plan, as: form, to: path) { seen += $0 }
      #expect(package.sha256 == ContentDigest(of: seen))
      #expect(try MappedFile.contents(of: path, limit: 1 << 24) == seen)
      try Folder.remove(path)
    }
  }

  @Test func refusesTwoModelsOfOneName() throws {
    let encoder = try Sample.encoder.get()
    let models = [
      try encoder.packaged(as: .shared(name: "Encoder")),
      try encoder.packaged(as: .flow(id: 1, name: "encoder", modelVersion: 1)),
    ]
    let scratch = try TemporaryFolder()
    #expect(
      message { _ = try self.write(scratch, "p", models: models) }
        == "two models of one package are called 'encoder'")
    #expect(
      message { _ = try self.write(scratch, "p", models: []) }
        == "'models' is 'none', expected at least one model")
    #expect(try Folder.names(in: scratch.path).isEmpty)
  }

  /// Contexts that were used before, even for half a frame, change no byte.
  @Test func givesTheSameBytesAgainAndAgain() throws {
    let scratch = try TemporaryFolder()
    let writer = try PackageWriter(workers: 2)
    let details = try Sample.details()
    let big = try ProvenModel(seed: 0.5)
    let model = try big.packaged(as: .shared(name: "x"))
    let orders = [
      (plan: try PackageContents(details, try Sample.models()), form: ArchiveForm.tarZst),
      (plan: try PackageContents(details, [model]), form: .tarZst),
      (plan: try PackageContents(details, try Sample.models()), form: .zip),
    ]
    let expected = try orders.map { try Sample.bytes(of: $0.plan, as: $0.form) }
    let weights = try MappedFile.contents(of: big.emitted.path, limit: 1 << 20)
    for round in 0..<3 {
      for (index, order) in orders.enumerated() {
        let path = scratch.path("\(round).\(index)")
        let package = try writer.write(
          order.plan, as: order.form, to: path, isDurable: round == 0)
        #expect(try MappedFile.contents(of: path, limit: 1 << 20) == expected[index])
        #expect(package.sha256 == ContentDigest(of: expected[index]))
      }
      // A package that fails halfway.
      try AtomicFile.write(weights.reversed(), to: big.emitted.path)
      #expect(throws: PackagingError.self) {
        try writer.write(orders[1].plan, to: scratch.path("broken"))
      }
      #expect(Folder.kind(of: scratch.path("broken")) == .missing)
      try AtomicFile.write(weights, to: big.emitted.path)
    }
  }

  @Test func frameContextsCanBeUsedAgain() throws {
    var random = SeededGenerator(seed: 3)
    // Small frames need no threads, large ones do.
    let contents = [0, 1, 600, 200_000, 700_000, 3 << 20].map { count in
      (0..<count).map { _ in UInt8.random(in: 0...40, using: &random) }
    }
    let zstd = try ZstdWriter(workers: 2)
    let fresh = try contents.map { try Tarball.compress($0) }
    for _ in 0..<2 {
      for (content, expected) in zip(contents, fresh) {
        // Half a frame that nobody ends.
        try zstd.begin(byteCount: 5000)
        try unsafe zstd.compress([UInt8](repeating: 7, count: 2500).span.bytes, isLast: false) {
          _ in
        }
        var out: [UInt8] = []
        try zstd.begin(byteCount: content.count)
        try unsafe zstd.compress(content.span.bytes, isLast: true) { piece in
          unsafe piece.withUnsafeBytes { unsafe out.append(contentsOf: $0) }
        }
        #expect(out == expected)
      }
    }
  }

  @Test func leavesNothingOfWhatFails() throws {
    let scratch = try TemporaryFolder()
    let plan = try PackageContents(try Sample.details(), try Sample.models())
    let writer = try PackageWriter(workers: 1)
    let mine = try scratch.write("mine", [1])
    #expect(
      message { _ = try writer.write(plan, to: mine) }
        == "\(mine): cannot write: file exists")
    #expect(try MappedFile.contents(of: mine, limit: 1) == [1])
    #expect(
      message { _ = try writer.write(plan, to: scratch.path("no/such")) }
        == "\(scratch.path("no/such")): cannot write: no such file or directory")
    #expect(try Folder.names(in: scratch.path) == ["mine"])
  }

  @Test(arguments: [
    "models/" + String(repeating: "m", count: 92), PackagePathTests.long(3, 96),
    PackagePathTests.long(3, 97), PackagePathTests.long(50, 49), PackagePathTests.long(60, 98),
    "models/" + String(repeating: "m", count: 64)
      + "/model.mlpackage/Data/com.apple.CoreML/weights/weight.bin",
    "a/b/" + PackagePathTests.long(40, 60), "a/" + PackagePathTests.long(99, 50),
  ])
  func headersAreThoseOfLibarchive(_ text: String) throws {
    let writer = try TarWriter(time: try Sample.time(1_795_219_200))
    let path = try PackagePath(text)
    var bytes: [UInt8] = []
    try writer.begin(path, size: 3)
    unsafe try writer.append(([1, 2, 3] as [UInt8]).span.bytes)
    try writer.finish()
    try writer.drain { piece in
      unsafe piece.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
    }
    #expect(bytes.count == Tar.entryByteCount(3) + Tar.endByteCount)
    #expect(
      Array(bytes.prefix(512))
        == Tar.header(path: path, size: 3, time: try Sample.time(1_795_219_200)))
    let header = try TarHeader(Array(bytes.prefix(512)), index: 1)
    #expect(header.path == path)
    #expect(throws: Never.self) { try header.checkForm(time: try Sample.time(1_795_219_200)) }
  }

  @Test func otherToolsReadIt() throws {
    let scratch = try TemporaryFolder()
    let path = try scratch.write("p.tar.zst", try Sample.archive.get())
    let zstd = try run("zstd", "-t", path)
    #expect(zstd.status == 0, "\(zstd.output)")
    let tar = try run("tar", "--zstd", "-tvf", path, "--utc")
    #expect(tar.status == 0, "\(tar.output)")
    let lines = tar.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(lines.allSatisfy { $0.hasPrefix("-rw-r--r-- 0/0 ") && $0.contains("2026-11-21 00:00") })
    #expect(
      lines.map { String($0.split(separator: " ").last ?? "") } == [
        "manifest.json", "models/encoder/model.safetensors",
        "models/onboarding_upsell/model.safetensors", "receipts/encoder.json",
        "receipts/onboarding_upsell.json", "sbom.cdx.json",
      ])
  }
}
