import Crypto
package import Files
import Zstd

/// Makes a new file of an old one and a delta, in memory that depends on neither.
///
/// Nothing of a delta is trusted: the result has to have the length and the digest that the caller knows
/// from signed metadata.
package struct DeltaReader {
  private let delta: MappedFile
  private let old: MappedFile?
  package let header: DeltaHeader

  /// Bytes of the old file that are in memory at a time.
  private static let pieceByteCount = 1 << 16

  /// - Parameters:
  ///   - old: nil where the delta makes a whole file of nothing.
  ///   - oldIdentity: of the old file, if it is known; else the file is read for it.
  ///   - expected: the file that must come of it.
  /// - Throws: `DeltaError` before anything is written.
  package init(
    _ delta: MappedFile, old: MappedFile?, oldIdentity: FileIdentity? = nil, expected: FileIdentity
  ) throws(DeltaError) {
    (self.delta, self.old) = (delta, old)
    header = try DeltaHeader(delta.start(DeltaHeader.byteCount), origin: delta.path)
    guard header.new == expected else {
      throw .otherResult(
        delta: delta.path, found: "\(header.new)", expected: "\(expected)")
    }
    let found = oldIdentity ?? old.map(FileIdentity.init(of:)) ?? .nothing
    guard found == header.old else {
      throw .otherBase(delta: delta.path, found: found.hex, expected: header.old.hex)
    }
  }

  /// Writes the new file.
  ///
  /// - Parameter write: takes its bytes, in their order.
  /// - Throws: `DeltaError`, and errors of `write`.
  package func apply(_ write: (RawSpan) throws -> Void) throws {
    var (room, hash) = (header.new.length, SHA256())
    func take(_ bytes: RawSpan) throws {
      guard bytes.byteCount <= room else {
        throw malformed("makes more than the \(header.new.length) bytes that it says")
      }
      room -= bytes.byteCount
      unsafe bytes.withUnsafeBytes { unsafe hash.update(bufferPointer: $0) }
      try write(bytes)
    }
    var blocks = BlockStream(old, oldLength: header.old.length, room: header.new.length)
    try forEachPiece { piece in
      switch header.method {
      case .dictionary: try take(piece)
      case .blocks: try blocks.take(piece, malformed: malformed, take)
      }
    }
    guard room == 0, blocks.isAtEnd else {
      throw malformed("ends \(room) bytes before the file that it makes")
    }
    let found = FileIdentity(length: header.new.length, sha256: [UInt8](hash.finalize()))
    guard found == header.new else {
      throw DeltaError.otherResult(
        delta: delta.path, found: "\(found)", expected: "\(header.new)")
    }
  }

  private func malformed(_ fault: String) -> DeltaError {
    .malformed(delta: delta.path, fault: fault)
  }

  /// Decompresses the frame, which must end with the file.
  private func forEachPiece(_ body: (RawSpan) throws -> Void) throws {
    do {
      let decoder = try ZstdDecoder()
      try decoder.begin(prefix: header.method == .dictionary ? old : nil)
      var (offset, isComplete) = (DeltaHeader.byteCount, false)
      while !isComplete {
        let range = offset..<min(offset + Self.pieceByteCount, delta.byteCount)
        let step = try delta.withBytes(in: range) { bytes throws(ZstdError) in
          try decoder.decompress(bytes)
        }
        try decoder.withBytes(in: 0..<step.given, body)
        offset += step.taken
        isComplete = step.isComplete
        delta.letGo(of: range)
        guard isComplete || step.taken > 0 || step.given > 0 else {
          throw malformed("is cut short")
        }
      }
      guard offset == delta.byteCount else {
        throw malformed("has \(delta.byteCount - offset) bytes behind its end")
      }
    } catch let error as ZstdError {
      throw malformed("its frame is damaged: \(error.reason)")
    }
  }
}
