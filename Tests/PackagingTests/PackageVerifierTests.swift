import Files
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

  static let frames = [
    Case(raw: "empty", "is not a zstd archive") { _ in [] },
    Case(raw: "plain tar", "is not a zstd archive") { $0.bytes },
    Case(raw: "skippable frame first", "is not a zstd archive") {
      try [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0] + Tarball.compress($0.bytes)
    },
    Case(raw: "five bytes", "the zstd frame is cut short") {
      try Array(Tarball.compress($0.bytes).prefix(5))
    },
    Case(raw: "half of it", "the zstd frame is cut short") {
      let bytes = try Tarball.compress($0.bytes)
      return Array(bytes.prefix(bytes.count / 2))
    },
    Case(raw: "without its last byte", "the zstd frame is cut short") {
      try Tarball.compress($0.bytes).dropLast()
    },
    Case(
      raw: "flipped checksum", "the zstd frame is damaged: restored data doesn't match checksum"
    ) {
      var bytes = try Tarball.compress($0.bytes)
      bytes[bytes.count - 1] ^= 1
      return bytes
    },
    Case(raw: "byte behind", "1 byte follows the zstd frame") {
      try Tarball.compress($0.bytes) + [0]
    },
    Case(raw: "second frame", "a second zstd frame starts at byte #") {
      try Tarball.compress($0.bytes) + Tarball.compress($0.bytes)
    },
    Case(
      raw: "window of 2 GiB",
      "the zstd frame asks for a window of 2147483648 bytes, the limit is 8388608"
    ) { _ in [0x28, 0xB5, 0x2F, 0xFD, 0x84, 0xA8, 0, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0] },
    Case(
      raw: "one segment of 3 GiB",
      "the zstd frame asks for a window of 3221225472 bytes, the limit is 8388608"
    ) { _ in [0x28, 0xB5, 0x2F, 0xFD, 0xA4, 0, 0, 0, 0xC0, 1, 0, 0, 0, 0, 0, 0, 0, 0] },
    Case(raw: "no checksum", "the zstd frame has no checksum") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x20, 1, 9, 0, 0, 0]
    },
    Case(raw: "no size", "the zstd frame does not declare the size of its content") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x04, 0x58, 1, 0, 0, 0]
    },
    Case(raw: "dictionary", "the zstd frame needs a dictionary") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x25, 1, 1, 9, 0, 0]
    },
    Case(raw: "reserved bit", "the zstd frame uses a reserved feature") { _ in
      [0x28, 0xB5, 0x2F, 0xFD, 0x2C, 1, 9, 0, 0, 0]
    },
  ]

  static let entries = [
    Case("extra entry at the end", "entry 'z' is not listed in the manifest") {
      $0.entries.append(try .init("z", [1, 2, 3], time: try Sample.time(1_795_219_200)))
    },
    Case("extra entry between", "entry 'n' is not listed in the manifest") {
      $0.entries.insert(try .init("n", [1], time: try Sample.time(1_795_219_200)), at: 2)
    },
    Case(
      "last entry missing",
      "'receipts/onboarding_upsell.json' is listed in the manifest, but not in the archive"
    ) { $0.entries.removeLast() },
    Case(
      "first entry missing",
      "'models/encoder/model.safetensors' is listed in the manifest, but not in the archive"
    ) { $0.entries.remove(at: 1) },
    Case(
      "other order",
      "'models/encoder/model.safetensors' is listed in the manifest, but not in the archive"
    ) { $0.entries.swapAt(1, 2) },
    Case(
      "entry twice",
      "entry 'models/encoder/model.safetensors' stands twice, or differs from another only in case"
    ) { $0.entries.insert($0.entries[1], at: 2) },
    Case(
      "entry twice but for case",
      "entry 'receipts/ENCODER.json' stands twice, or differs from another only in case"
    ) {
      $0.entries.append(
        try .init("receipts/ENCODER.json", [], time: try Sample.time(1_795_219_200)))
    },
    Case("path upwards", "entry '../x' has a path that no package may hold") {
      $0.entries[1].patch(0, Array("../x\0".utf8) + [UInt8](repeating: 0, count: 60))
    },
    Case("absolute path", "entry '/x' has a path that no package may hold") {
      $0.entries[1].patch(0, Array("/x\0".utf8) + [UInt8](repeating: 0, count: 60))
    },
    Case("path with an escape", "entry 'a\\u001b[2J' has a path that no package may hold") {
      $0.entries[1].patch(0, Array("a\u{1B}[2J".utf8) + [UInt8](repeating: 0, count: 60))
    },
    Case(
      "symbolic link",
      "entry 'models/encoder/model.safetensors' is a symbolic link, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "2")]) },
    Case(
      "hard link",
      "entry 'models/encoder/model.safetensors' is a hard link, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "1")]) },
    Case(
      "folder", "entry 'models/encoder/model.safetensors' is a folder, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "5")]) },
    Case(
      "pipe", "entry 'models/encoder/model.safetensors' is a pipe, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "6")]) },
    Case(
      "pax header",
      "entry 'models/encoder/model.safetensors' is a pax header, expected a regular file"
    ) { $0.entries[1].patch(156, [UInt8(ascii: "x")]) },
    Case("wrong header checksum", "the header of entry 2 has a wrong checksum") {
      $0.entries[1].patch(5, [0x7A], mendsChecksum: false)
    },
    Case(
      "executable",
      "entry 'models/encoder/model.safetensors' has mode 0755, expected 0644"
    ) { $0.entries[1].patch(100, Array("000755 ".utf8)) },
    Case(
      "owner", "entry 'models/encoder/model.safetensors' has user id 01, expected 00"
    ) { $0.entries[1].patch(108, Array("000001 ".utf8)) },
    Case(
      "another time",
      "entry 'models/encoder/model.safetensors' has time 1, expected 1795219200"
    ) { $0.entries[1].patch(136, Array("00000000001 ".utf8)) },
    Case(
      "user name",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(265, Array("root".utf8)) },
    Case(
      "name split in two",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(345, Array("x".utf8)) },
    Case(
      "size in base 256",
      "the header of entry 'models/encoder/model.safetensors' is not in the one form that packages "
        + "use"
    ) { $0.entries[1].patch(124, [0x80]) },
    Case(
      "dirty padding", "bytes other than zero pad entry 'receipts/onboarding_upsell.json'"
    ) { $0.entries[4].padding[0] = 1 },
    Case("no end mark", "the tar stream ends inside the header of entry 6") { $0.end = [] },
    Case("half an end mark", "the tar stream ends inside its end mark") {
      $0.end = [UInt8](repeating: 0, count: 512)
    },
    Case("dirty end mark", "the two zero blocks that end a tar stream are not there") {
      $0.end[700] = 1
    },
    Case("data behind the end", "data follows the end of the tar stream") {
      $0.end += [UInt8](repeating: 0, count: 512)
    },
    Case(
      "manifest not first", "the first entry is 'receipts/encoder.json', expected 'manifest.json'"
    ) {
      $0.entries.swapAt(0, 3)
    },
    Case("nothing at all", "the tar stream ends inside the header of entry 1") {
      $0.entries = []
      $0.end = []
    },
    Case("no entry", "the tar stream holds no entry") {
      $0.entries = []
    },
    Case("bomb behind the end", "data follows the end of the tar stream") {
      $0.end += [UInt8](repeating: 0, count: 64 << 20)
    },
  ]

  static let contents = [
    Case("manifest of no bytes", "manifest.json has 0 bytes, expected 1...4194304") {
      $0.entries[0] = try .init("manifest.json", [], time: try Sample.time(0))
    },
    Case("manifest of 4 MiB", "manifest.json has 4194305 bytes, expected 1...4194304") {
      let spaces = [UInt8](repeating: 0x20, count: 4_194_305)
      $0.entries[0] = try .init("manifest.json", spaces, time: try Sample.time(0))
    },
    Case("manifest with a space", "manifest.json is not in the one byte form that packages use") {
      try $0.editManifest { $0 + " " }
    },
    Case("manifest with 1.0", "manifest.json is not in the one byte form that packages use") {
      try $0.editManifest { $0.replacing(#""schema":1"#, with: #""schema":1.0"#) }
    },
    Case(
      "changed weights",
      "entry 'models/encoder/model.safetensors' has sha256 #, the manifest says #"
    ) { $0.entries[1].content[60] ^= 1 },
    Case(
      "size of an entry",
      "entry 'models/encoder/model.safetensors' has 8 bytes, the manifest says #"
    ) {
      $0.entries[1] = try .init(
        "models/encoder/model.safetensors", [UInt8](repeating: 0, count: 8),
        time: try Sample.time(1_795_219_200))
    },
    Case(
      "bomb",
      "entry 'models/encoder/model.safetensors' has 67108864 bytes, the manifest says #"
    ) {
      $0.entries[1] = try .init(
        "models/encoder/model.safetensors", [UInt8](repeating: 0, count: 64 << 20),
        time: try Sample.time(1_795_219_200))
    },
    Case(
      "receipt of other weights",
      "receipt 'receipts/encoder.json' has candidate #, the manifest says #"
    ) {
      let other = $0.entries[4].content
      try $0.replace("receipts/encoder.json", other)
    },
    Case(
      "empty receipt",
      "receipt 'receipts/encoder.json' is not sound: receipts/encoder.json:1:1: the key "
        + "'schemaVersion' is missing"
    ) { try $0.replace("receipts/encoder.json", Array("{}".utf8)) },
    Case(
      "receipt with a space",
      "receipt 'receipts/encoder.json' is not sound: it is not in the one byte form that packages "
        + "use"
    ) { try $0.replace("receipts/encoder.json", $0.entries[3].content + [0x20]) },
    Case(
      "better metrics in the manifest",
      "receipt 'receipts/encoder.json' has inputs 12, the manifest says 13"
    ) {
      var isFirst = true
      try $0.editManifest { text in
        defer { isFirst = false }
        let range = text.firstRange(of: #""inputs":"12""#)
        guard isFirst, let range else { return text }
        return text.replacingCharacters(in: range, with: #""inputs":"13""#)
      }
    },
  ]

  @Test(arguments: frames + entries + contents)
  func refuses(_ item: Case) throws {
    var tar = try Tarball()
    let scratch = try Scratch()
    let path = try scratch.file("a.tar.zst", try item.bytes(&tar))
    let found = message { _ = try PackageVerifier.verify(path) } ?? "no error"
    #expect(matches(found, "\(path): \(item.fault)"), "\(found)")
  }

  /// Whether a text is a pattern, whose stars stand for hexadecimal digits.
  private func matches(_ text: String, _ pattern: String) -> Bool {
    var rest = text[...]
    for (index, part) in pattern.split(separator: "#", omittingEmptySubsequences: false)
      .enumerated()
    {
      if index > 0 { rest = rest.drop { $0.isHexDigit } }
      guard rest.hasPrefix(part) else { return false }
      rest = rest.dropFirst(part.count)
    }
    return rest.isEmpty
  }

  @Test func acceptsTheSample() throws {
    let scratch = try Scratch()
    let bytes = try Sample.archive.get()
    let package = try PackageVerifier.verify(try scratch.file("a.tar.zst", bytes))
    #expect(package.sha256 == ContentDigest(of: bytes))
    #expect(package.tarSHA256 == ContentDigest(of: try Tarball().bytes))
    #expect(package.byteCount == bytes.count)
    #expect(package.manifest.files.count == 4)
  }

  @Test func sampleSurvivesTakingApart() throws {
    #expect(try Tarball.compress(try Tarball().bytes) == (try Sample.archive.get()))
  }

  /// A flipped bit is refused, or (where zstd has two codes for one thing) changes no content.
  @Test func noFlippedBitChangesContent() throws {
    let bytes = try Sample.archive.get()
    let content = ContentDigest(of: try Tarball().bytes)
    var accepted = 0
    let scratch = try Scratch()
    // The frame's header and checksum whole, of its blocks every fourth byte.
    for index in bytes.indices
    where index < 32 || index % 4 == 0 || index > bytes.count - 8 {
      var broken = bytes
      broken[index] ^= 1 << UInt8(index % 8)
      let path = try scratch.file("a.tar.zst", broken)
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
