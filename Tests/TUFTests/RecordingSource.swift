import Files

@testable import TUF

/// Files in memory that remember what was asked for.
final class RecordingSource: MetadataSource {
  let files: [String: [UInt8]]
  let asked = Mutex<[String]>([])

  init(_ files: [String: [UInt8]]) { self.files = files }

  func fetch(_ file: String, limit: Int) async throws -> [UInt8]? {
    asked.withLock { $0.append(file) }
    guard let bytes = files[file] else { return nil }
    guard bytes.count <= limit else { throw MetadataError.tooLong(file: file, limit: limit) }
    return bytes
  }
}

final class RecordingStore: MetadataStore {
  let state: Mutex<[String: [UInt8]]>

  init(_ kept: [String: [UInt8]]) { state = Mutex(kept) }

  func read(_ role: String) throws -> [UInt8]? { state.withLock { $0[role] } }
  func write(_ bytes: [UInt8], _ role: String) throws { state.withLock { $0[role] = bytes } }
}
