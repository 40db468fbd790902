import Files
import TestSupport

@testable import Deltas
@testable import Updates

/// Deltas between bytes, made and applied by way of files.
struct DeltaFiles {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder(in: TemporaryFolder.memory) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> MappedFile {
    try MappedFile(path: try folder.write(name, bytes))
  }

  /// Writes a delta; of nothing where there are no old bytes.
  func delta(_ old: [UInt8]?, _ new: [UInt8], workers: Int = 1) throws -> MappedFile {
    let made = try file("new", new)
    var output = try AtomicFile(path: folder.path("delta"))
    let writer = DeltaWriter(of: made, FileIdentity(of: made), workers: workers)
    if let old {
      let base = try file("old", old)
      try writer.write(from: base, FileIdentity(of: base), to: &output)
    } else {
      try writer.writeWhole(to: &output)
    }
    try output.commit()
    return try MappedFile(path: folder.path("delta"))
  }

  /// What a delta makes of some bytes.
  func apply(_ delta: [UInt8], _ old: [UInt8]?, _ expected: FileIdentity) throws -> [UInt8] {
    let base = try old.map { try file("base", $0) }
    var made: [UInt8] = []
    try DeltaReader(try file("applied", delta), old: base, expected: expected).apply { bytes in
      unsafe bytes.withUnsafeBytes { unsafe made.append(contentsOf: $0) }
    }
    return made
  }

  func identity(_ bytes: [UInt8]) throws -> FileIdentity {
    FileIdentity(of: try file("identity", bytes))
  }
}

extension MappedFile {
  var all: [UInt8] { start(byteCount) }
}
