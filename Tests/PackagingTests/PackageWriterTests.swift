import Emission
import Files
import Foundation
import Testing
import Weights

@testable import Packaging

@Suite struct PackageWriterTests {
  private func write(
    _ scratch: Scratch, _ name: String, workers: Int = 1, models: [PackagedModel]? = nil
  ) throws -> [UInt8] {
    let path = scratch.inside(name)
    let prepared = try PackageWriter.prepare(
      try Sample.terms(), try models ?? Sample.models(), path: path, workers: workers)
    let sha256 = prepared.sha256
    try prepared.commit()
    let bytes = try MappedFile.contents(of: path, limit: 1 << 20)
    #expect(ContentDigest(of: bytes) == sha256)
    return bytes
  }

  @Test func givesTheSameBytes() throws {
    let scratch = try Scratch()
    let expected = try Sample.archive.get()
    #expect(try write(scratch, "a") == expected)
    #expect(try write(scratch, "b", workers: 2) == expected)
    #expect(try write(scratch, "c", workers: 0) == expected)
    #expect(try write(scratch, "d", models: Sample.models().reversed()) == expected)
  }

  @Test func givesTheSameBytesFromOtherFolders() throws {
    let scratch = try Scratch()
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
    var random = Seeded(state: 1)
    let bytes = (0..<(9 << 20)).map { _ in UInt8.random(in: 0...255, using: &random) }
    func compressed(workers: Int, piece: Int) throws -> ContentDigest {
      let zstd = try ZstdWriter(byteCount: bytes.count, workers: workers)
      var hash = DigestStream()
      for start in stride(from: 0, to: bytes.count, by: piece) {
        let end = min(start + piece, bytes.count)
        try zstd.compress(Array(bytes[start..<end]), isLast: end == bytes.count) { hash.update($0) }
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
          terms: upsell.terms)
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
    let target = proven.scratch.inside("p")
    #expect(
      message {
        _ = try PackageWriter.prepare(
          try Sample.terms(), [model], path: target, workers: 1)
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
        _ = try PackageWriter.prepare(
          try Sample.terms(), [model], path: target, workers: 1)
      }
        == "\(path): has changed since it was written: had \(bytes.count) bytes, "
        + "has \(bytes.count + 1)")
  }

  @Test func refusesTwoModelsOfOneName() throws {
    let encoder = try Sample.encoder.get()
    let models = [
      try encoder.packaged(as: .shared(name: "Encoder")),
      try encoder.packaged(as: .flow(id: 1, name: "encoder", modelVersion: 1)),
    ]
    let scratch = try Scratch()
    #expect(
      message { _ = try self.write(scratch, "p", models: models) }
        == "two models of one package are called 'encoder'")
    #expect(
      message { _ = try self.write(scratch, "p", models: []) }
        == "'models' is 'none', expected at least one model")
    #expect(try Folder.names(in: scratch.path).isEmpty)
  }

  @Test func leavesNothingUnlessCommitted() throws {
    let scratch = try Scratch()
    do {
      let prepared = try PackageWriter.prepare(
        try Sample.terms(), try Sample.models(), path: scratch.inside("p"), workers: 1)
      #expect(prepared.byteCount > 0)
    }
    #expect(try Folder.names(in: scratch.path).isEmpty)
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
    try writer.begin(path, size: 3)
    unsafe try writer.append(([1, 2, 3] as [UInt8]).span.bytes)
    try writer.finish()
    let bytes = writer.take()
    #expect(bytes.count == Tar.entryByteCount(3) + Tar.endByteCount)
    #expect(
      Array(bytes.prefix(512))
        == Tar.header(path: path, size: 3, time: try Sample.time(1_795_219_200)))
    let header = try TarHeader(Array(bytes.prefix(512)), index: 1)
    #expect(header.path == path)
    #expect(throws: Never.self) { try header.checkForm(time: try Sample.time(1_795_219_200)) }
  }

  @Test func otherToolsReadIt() throws {
    let scratch = try Scratch()
    let path = try scratch.file("p.tar.zst", try Sample.archive.get())
    let zstd = try run("zstd", "-t", path)
    #expect(zstd.status == 0, "\(zstd.output)")
    let tar = try run("tar", "--zstd", "-tvf", path, "--utc")
    #expect(tar.status == 0, "\(tar.output)")
    let lines = tar.output.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.hasPrefix("-rw-r--r-- 0/0 ") && $0.contains("2026-11-21 00:00") })
    #expect(
      lines.map { String($0.split(separator: " ").last ?? "") } == [
        "manifest.json", "models/encoder/model.safetensors",
        "models/onboarding_upsell/model.safetensors", "receipts/encoder.json",
        "receipts/onboarding_upsell.json",
      ])
  }

  private func run(_ arguments: String...) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: output, as: UTF8.self))
  }
}
