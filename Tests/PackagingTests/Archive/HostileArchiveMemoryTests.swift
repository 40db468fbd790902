import Files
import Glibc
import TestSupport
import Testing
import Weights

@testable import Packaging

/// No archive makes the process that verifies it hold much memory, whatever it unpacks to.
///
/// Every archive is verified in a process of its own, whose peak the system reports.
@Suite(.serialized) struct HostileArchiveMemoryTests {
  /// How much the peak may grow, in kB.
  static let limit = 80_000

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let fault: String
    /// Writes the archive to a path.
    let write: @Sendable (String) throws -> Void
    var testDescription: String { name }

    init(
      _ name: String, _ fault: String, _ write: @escaping @Sendable (String) throws -> Void
    ) {
      self.name = name
      self.fault = fault
      self.write = write
    }
  }

  @Test(arguments: tars.map { (".tar.zst", $0) } + zips.map { (".zip", $0) })
  func staysSmall(_ suffix: String, _ test: Case) async throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("a\(suffix)")
    try test.write(path)
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) { [path = path as String, fault = "\(path): \(test.fault)" as String] in
      let before = try #require(peakKilobytes())
      let found = message { _ = try PackageVerifier.verify(path) } ?? "no error"
      let peak = try #require(peakKilobytes()) - before
      print("peak \(peak) kB more: \(found)")
      try #require(matches(found, fault))
      try #require(peak < HostileArchiveMemoryTests.limit)
    }
    if let output = result?.standardOutputContent {
      for line in String(decoding: output, as: UTF8.self).split(separator: "\n")
      where line.hasPrefix("peak") { print("\(test.name): \(line)") }
    }
  }

  /// A folder's weights are read where they are needed, however large they are: here 96 MiB
  /// of ones, which is a few kilobytes of archive.
  @Test func openingAModelStaysSmall() async throws {
    let scratch = try TemporaryFolder()
    let path = scratch.path("a.tar.zst")
    var parts = try LooseParts(of: try ProvenFolder().archive())
    try parts.replace(ProvenFolder.weightsPath, [UInt8](repeating: 1, count: 96 << 20))
    try AtomicFile.write(try parts.archive(), to: path)
    await #expect(processExitsWith: .success) { [path = path as String] in
      let before = try #require(peakKilobytes())
      // A receipt that is not of these weights is another matter: here files are only opened.
      let found = message { _ = try PackageVerifier.verifyOpening(path) } ?? "no error"
      let peak = try #require(peakKilobytes()) - before
      try #require(peak < HostileArchiveMemoryTests.limit, "\(peak) kB: \(found)")
    }
  }

  static let tars: [Case] = [
    Case(
      "a gigabyte of zeros that is not listed so",
      "entry '\(model)' has 1073741824 bytes, the manifest says #"
    ) { try write(zeros: 1 << 30, to: $0) { $0 } },
    Case(
      "a gigabyte of zeros as listed", "entry '\(model)' has sha256 #, the manifest says #"
    ) { try write(zeros: 1 << 30, to: $0) { try $0.listing(1 << 30) } },
    Case("a gigabyte behind the end", "data follows the end of the tar stream") { path in
      let tar = try Tarball()
      try Frame.write([(tar.bytes, 1), (megabyte, 1024)], to: path)
    },
    Case(
      "a gigabyte of headers",
      "the first entry is 'receipts/encoder.json', expected 'manifest.json'"
    ) { path in
      let tar = try Tarball()
      try Frame.write([(tar.entries[3].header + tar.entries[3].padding, 1 << 20)], to: path)
    },
    Case("a gigabyte of nothing", "the archive holds no entry") { path in
      try Frame.write([(megabyte, 1024)], to: path)
    },
    Case(
      "the longest manifest, brackets", "manifest.json:1:66: values nest deeper than 64 levels"
    ) { try write(manifest: "", "[", to: $0) },
    Case(
      "the longest manifest, small objects",
      "manifest.json:1:#: the text holds more than 500000 values"
    ) { try write(manifest: "[", "{},", to: $0) },
    Case("the longest manifest, one string", "manifest.json:1:#: the text ends inside a string") {
      try write(manifest: "{\"", "a", to: $0)
    },
    Case(
      "the longest manifest, escapes", "manifest.json:1:#: the text ends inside a string"
    ) { try write(manifest: "{\"app\":\"", "\\u0041", to: $0) },
    Case(
      "the longest receipt, small objects",
      "receipt 'receipts/encoder.json' is not sound: receipts/encoder.json:1:#: the text holds more "
        + "than 300000 values"
    ) { path in
      var tar = try Tarball()
      let text = "[" + String(repeating: "{},", count: (ReceiptCheck.sizeLimit - 2) / 3) + "0]"
      try tar.replace("receipts/encoder.json", Array(text.utf8.prefix(ReceiptCheck.sizeLimit)))
      try AtomicFile.write(try Tarball.compress(tar.bytes), to: path)
    },
    Case(
      "a manifest beyond the limit", "manifest.json has 1073741824 bytes, expected 1...12582912"
    ) { path in
      var entry = try Tarball.Entry("manifest.json", [], time: try Sample.time(0))
      entry.patch(124, Array("10000000000 ".utf8))
      try Frame.write([(entry.header, 1), (megabyte, 1024)], to: path)
    },
  ]

  static let zips: [Case] = [
    Case(
      "a gigabyte of zeros that is not listed so",
      "entry '\(model)' has 1073741824 bytes, the manifest says #"
    ) { try write(zipOfZeros: 1 << 30, to: $0) { $0 } },
    Case(
      "a gigabyte of zeros as listed",
      "the content of entry '\(model)' has CRC-32 0x#, its header says 0x#"
    ) { try write(zipOfZeros: 1 << 30, to: $0) { try $0.listing(1 << 30) } },
    Case("a size beyond the file", "entry '\(model)' has 4294967295 bytes, the manifest says #") {
      path in
      var zip = try ZipArchive()
      zip.entries[1].patchBoth(18, [UInt8](repeating: 0xFF, count: 8))
      try AtomicFile.write(zip.bytes, to: path)
    },
    Case("a file of 8 GiB", "has 8589934592 bytes, the limit for a zip archive is 4294967294") {
      path in
      try AtomicFile.write(try ZipArchive().bytes, to: path)
      try #require(truncate(path, 8 << 30) == 0)
    },
    Case("4 GiB of zeros behind the end", "# bytes follow the end of the archive") { path in
      try AtomicFile.write(try Sample.zip.get(), to: path)
      try #require(truncate(path, 0xFFFF_FFFE) == 0)
    },
    Case(
      "the longest manifest, small objects",
      "manifest.json:1:#: the text holds more than 500000 values"
    ) { path in
      var tar = try Tarball()
      try tar.editManifest { _ in longest("[", "{},") }
      try AtomicFile.write(try ZipArchive(of: tar).bytes, to: path)
    },
  ]

  private static let model = "models/encoder/model.safetensors"
  private static let megabyte = [UInt8](repeating: 0, count: 1 << 20)

  /// A tar stream whose second entry is nothing but zeros.
  static func write(
    zeros: Int, to path: String, _ edit: (Tarball) throws -> Tarball
  ) throws {
    let tar = try edit(try Tarball())
    let header = Tar.header(
      path: try PackagePath(model), size: zeros, time: try Sample.time(1_795_219_200))
    try Frame.write(
      [(tar.entries[0].bytes, 1), (header, 1), (megabyte, zeros >> 20)]
        + tar.entries[2...].map { ($0.bytes, 1) } + [(tar.end, 1)], to: path)
  }

  /// A zip whose second entry is nothing but zeros, which take no space on disk.
  static func write(
    zipOfZeros zeros: Int, to path: String, _ edit: (Tarball) throws -> Tarball
  ) throws {
    var zip = try ZipArchive(of: try edit(try Tarball()))
    let size = (0..<4).map { UInt8(zeros >> (8 * $0) & 255) }
    zip.entries[1].patchBoth(18, size + size)
    try AtomicFile.write(
      zip.entries[0].header + zip.entries[0].content + zip.entries[1].header, to: path)
    let start = try MappedFile(path: path).byteCount
    try #require(truncate(path, off_t(start + zeros)) == 0)
  }

  static func write(
    manifest start: String, _ repeated: String, to path: String
  ) throws {
    var tar = try Tarball()
    try tar.editManifest { _ in longest(start, repeated) }
    try AtomicFile.write(try Tarball.compress(tar.bytes), to: path)
  }

  /// A text as long as a manifest may be.
  private static func longest(_ start: String, _ repeated: String) -> String {
    let count = (Manifest.sizeLimit - start.utf8.count) / repeated.utf8.count
    return start + String(repeating: repeated, count: count)
  }
}
