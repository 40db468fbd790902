import Files
import Glibc
import TestSupport
import Testing
import Weights
import Zstd

@testable import Packaging

extension Tarball {
  /// The same with a manifest that gives the second entry another size, consistently.
  func listing(_ size: Int) throws -> Tarball {
    var tar = self
    let old = entries[1].content.count
    let installed = try manifest.installedBytes
    try tar.editManifest { text in
      text.replacingFirst("\"size\":\(old)}", with: "\"size\":\(size)}")
        .replacingFirst("\"bytes\":\(old),", with: "\"bytes\":\(size),")
        .replacingFirst(
          "\"installedBytes\":\(installed)",
          with: "\"installedBytes\":\(installed - old + size)")
    }
    return tar
  }
}

extension String {
  func replacingFirst(_ old: String, with new: String) -> String {
    firstRange(of: old).map { replacingCharacters(in: $0, with: new) } ?? self
  }
}

/// Frames too large to be held in memory.
enum Frame {
  static func write(_ parts: [(bytes: [UInt8], times: Int)], to path: String) throws {
    let zstd = try ZstdWriter(workers: 1)
    try zstd.begin(byteCount: parts.reduce(0) { $0 + $1.bytes.count * $1.times })
    var file = try OutputFile.create(at: path)
    for (bytes, times) in parts {
      for _ in 0..<times {
        try unsafe zstd.compress(bytes.span.bytes, isLast: false) { try file.write($0) }
      }
    }
    try zstd.compress(RawSpan(), isLast: true) { try file.write($0) }
    try file.finish(isDurable: false)
  }
}
