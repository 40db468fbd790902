import Files
import StrictJSON
import Testing

@testable import Packaging

/// Feeds the readers of an archive with damaged bytes: they must refuse them, and never trap.
/// `INGOT_FUZZ_ITERATIONS` sets the inputs for each reader.
@Suite struct FuzzTests {
  private static let iterations =
    System.environment("INGOT_FUZZ_ITERATIONS").flatMap { Int($0) } ?? 1000

  /// Noise in the tar stream inside a sound frame, the text of the manifest left alone: a manifest
  /// that says something else and is sound is another package, which only a signature can tell.
  @Test func tarStreams() throws {
    let scratch = try Scratch()
    let tar = try Tarball()
    let text = 512..<512 + tar.entries[0].content.count
    try damage(tar.bytes, except: text, seed: 7) { bytes in
      let path = try scratch.file("a.tar.zst", try Tarball.compress(bytes))
      _ = try PackageVerifier.verify(path)
    }
  }

  /// Noise in the frame itself, cut short now and then.
  @Test func frames() throws {
    let sound = try Sample.archive.get()
    let scratch = try Scratch()
    var random = Seeded(state: 8)
    for _ in 0..<FuzzTests.iterations {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      if Bool.random(using: &random) {
        bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
      }
      // Accepted only where the content is unchanged; see PackageVerifierTests.
      _ = try? PackageVerifier.verify(try scratch.file("a.tar.zst", bytes))
    }
  }

  /// Noise in a manifest: what is read is written again as the same bytes, or refused.
  @Test func manifests() throws {
    let sound = try Tarball().entries[0].content
    let alphabet = Array("{}[]:,\"\\ -0123456789abcdef./".utf8)
    var random = Seeded(state: 9)
    for iteration in 0..<FuzzTests.iterations * 4 {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: bytes.indices, using: &random)
        bytes[index] = alphabet.randomElement(using: &random) ?? 0
      }
      guard let manifest = try? Manifest(bytes, origin: "m") else { continue }
      let again = manifest.bytes
      #expect(
        try Manifest(again, origin: "m").bytes == again, "seed 9, iteration \(iteration)")
    }
  }

  @Test func headers() throws {
    try damage(try Tarball().entries[1].header, seed: 10) { bytes in
      let header = try TarHeader(bytes, index: 1)
      try header.checkForm(time: try Sample.time(1_795_219_200))
      guard
        bytes
          == Tar.header(
            path: header.path, size: header.size, time: try Sample.time(1_795_219_200))
      else { return }
      throw NotThere(what: "a fault, but the header is as it should be")
    }
  }

  /// Damages sound bytes in many ways and expects `body` to refuse each.
  private func damage(
    _ sound: [UInt8], except whole: Range<Int> = 0..<0, seed: UInt64,
    _ body: ([UInt8]) throws -> Void
  ) throws {
    var random = Seeded(state: seed)
    for iteration in 0..<FuzzTests.iterations {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes.replaceSubrange(whole, with: sound[whole])
      guard bytes != sound else { continue }
      #expect(throws: (any Error).self, "seed \(seed), iteration \(iteration)") {
        try body(bytes)
      }
    }
  }
}
