import Files
import Formats
import Foundation
import Gate
import Graph
import Inputs
import StrictJSON
import TestSupport
import WeightCompression
import Weights
import Zstd

@testable import Packaging

/// A tar stream taken apart, to be put together wrong.
struct Tarball {
  struct Entry {
    var header: [UInt8]
    var content: [UInt8]
    var padding: [UInt8]

    var bytes: [UInt8] { header + content + padding }

    init(_ path: String, _ content: [UInt8], time: Timestamp) throws {
      header = Tar.header(path: try PackagePath(path), size: content.count, time: time)
      self.content = content
      padding = [UInt8](repeating: 0, count: Tar.paddingByteCount(content.count))
    }

    /// Overwrites bytes of the header and fixes its checksum.
    mutating func patch(_ offset: Int, _ bytes: [UInt8], mendsChecksum: Bool = true) {
      header.replaceSubrange(offset..<offset + bytes.count, with: bytes)
      guard mendsChecksum else { return }
      let digits = String(Tar.checksum(of: header), radix: 8)
      let field = String(repeating: "0", count: 6 - digits.count) + digits + "\0 "
      header.replaceSubrange(148..<156, with: Array(field.utf8))
    }
  }

  var entries: [Entry]
  var end = [UInt8](repeating: 0, count: Tar.endByteCount)

  /// The sample package.
  init() throws { try self.init(of: try Sample.archive.get()) }

  /// An archive.
  init(of archive: [UInt8]) throws {
    let tar = try Tarball.decompress(archive)
    var entries: [Entry] = []
    var offset = 0
    while tar[offset] != 0 {
      let header = try TarHeader(Array(tar[offset..<offset + 512]), index: 1)
      let content = Array(tar[offset + 512..<offset + 512 + header.size])
      entries.append(try Entry(header.path.string, content, time: try Sample.time(header.time)))
      offset += Tar.entryByteCount(header.size)
    }
    self.entries = entries
  }

  var bytes: [UInt8] { entries.flatMap(\.bytes) + end }

  var manifest: Manifest {
    get throws { try Manifest(entries[0].content, origin: "manifest.json") }
  }

  /// Replaces the text of the manifest.
  mutating func editManifest(_ edit: (String) -> String) throws {
    let text = edit(String(decoding: entries[0].content, as: UTF8.self))
    entries[0] = try Entry(
      "manifest.json", Array(text.utf8), time: try Sample.time(1_795_219_200))
  }

  /// Replaces an entry's content and what the manifest says of its size and digest.
  mutating func replace(_ path: String, _ content: [UInt8]) throws {
    guard let index = entries.firstIndex(where: { Tarball.name(of: $0) == path }) else {
      throw NotThere(what: path)
    }
    let old = entries[index].content
    entries[index] = try Entry(path, content, time: try Sample.time(1_795_219_200))
    try editManifest { text in
      text.replacing(
        "\(ContentDigest(of: old).hex)\",\"size\":\(old.count)}",
        with: "\(ContentDigest(of: content).hex)\",\"size\":\(content.count)}")
    }
    let total = entries.dropFirst().reduce(0) { $0 + $1.content.count }
    try editManifest { text in
      let start = text.firstRange(of: "\"installedBytes\":")?.upperBound ?? text.endIndex
      let end = text[start...].firstIndex(of: "}") ?? text.endIndex
      return text.replacingCharacters(in: start..<end, with: "\(total)")
    }
  }

  static func name(of entry: Entry) -> String {
    String(decoding: entry.header.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// One frame as packages have it.
  static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    var out: [UInt8] = []
    let zstd = try ZstdWriter(workers: 1)
    try zstd.begin(byteCount: bytes.count)
    try unsafe zstd.compress(bytes.span.bytes, isLast: true) { piece in
      unsafe piece.withUnsafeBytes { unsafe out.append(contentsOf: $0) }
    }
    return out
  }

  static func decompress(_ bytes: [UInt8]) throws -> [UInt8] {
    let scratch = try TemporaryFolder()
    let file = try MappedFile(path: try scratch.write("a", bytes))
    let reader = try ZstdReader(file, try ZstdDecoder())
    var out: [UInt8] = []
    while try reader.next(
      atMost: 1 << 16,
      { piece in unsafe piece.withUnsafeBytes { unsafe out.append(contentsOf: $0) } }) > 0
    {}
    return out
  }
}
