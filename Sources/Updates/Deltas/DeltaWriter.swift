package import Deltas
package import Files
import Zstd

/// Makes deltas.
package struct DeltaWriter {
  /// Slow to make and small: a delta is made once and read by every device.
  private static let level = 15
  /// Of the window of blocks, which takes memory on the device; differences of codes do not repeat, so that a
  /// larger one gains nothing.
  private static let windowLog: Int32 = 21
  /// Bytes of the new file that are in memory at a time.
  private static let pieceByteCount = 1 << 20

  private let new: MappedFile
  private let newIdentity: FileIdentity
  private let workers: Int

  /// - Parameter workers: threads to compress on; the bytes do not depend on them.
  package init(of new: MappedFile, _ identity: FileIdentity, workers: Int) {
    (self.new, newIdentity, self.workers) = (new, identity, workers)
  }

  /// Writes the whole file, as a delta of nothing.
  package func writeWhole(to file: inout AtomicFile) throws {
    let pairs = new.byteCount > 0 ? [RunPair(new: 0..<new.byteCount, old: nil)] : []
    let header = DeltaHeader(method: .blocks, old: .nothing, new: newIdentity)
    try write(header, pairs.map { Part($0, .plain) }, old: nil, to: &file)
  }

  /// Writes what makes the file of an old one, in the way that takes the fewest bytes.
  package func write(
    from old: MappedFile, _ oldIdentity: FileIdentity, to file: inout AtomicFile
  ) throws {
    let parts = try merged(RunPair.all(of: new, beside: old).map { try best($0, old) })
    let blocks = DeltaHeader(method: .blocks, old: oldIdentity, new: newIdentity)
    guard old.byteCount + new.byteCount <= DeltaHeader.dictionaryLimit, old.byteCount > 0 else {
      return try write(blocks, parts, old: old, to: &file)
    }
    let frames = [try frame(of: parts, old), try frame(after: old)]
    let isDictionary = frames[1].count < frames[0].count
    let header = DeltaHeader(
      method: isDictionary ? .dictionary : .blocks, old: oldIdentity, new: newIdentity)
    try file.write(header.bytes)
    try file.write(frames[isDictionary ? 1 : 0])
  }

  // MARK: Parts

  /// A part of the new file, and what is written of it.
  private struct Part {
    var pair: RunPair
    let kind: DeltaBlock.Kind

    init(_ pair: RunPair, _ kind: DeltaBlock.Kind) { (self.pair, self.kind) = (pair, kind) }

    var block: DeltaBlock {
      DeltaBlock(kind, at: kind == .plain ? 0 : pair.old ?? 0, count: pair.new.count)
    }
  }

  /// A part in the way that compresses best, alone.
  private func best(_ pair: RunPair, _ old: MappedFile) throws -> Part {
    guard pair.old != nil else { return Part(pair, .plain) }
    let encoder = try ZstdWriter(workers: workers)
    let kinds: [DeltaBlock.Kind] = [.sum, .xor, .plain]
    let sizes = try kinds.map { kind in
      var size = 0
      try encoder.begin(byteCount: pair.new.count)
      try forEachPiece(of: Part(pair, kind), old) { bytes, isLast in
        try encoder.compress(bytes, isLast: isLast) { size += $0.byteCount }
      }
      return size
    }
    // The first of those that are alike: differences of equal bytes are zeros in either way.
    let least = sizes.indices.min { sizes[$0] < sizes[$1] } ?? 0
    return Part(pair, kinds[least])
  }

  /// Neighbours as one part where both files go on.
  private func merged(_ parts: [Part]) -> [Part] {
    var merged: [Part] = []
    for part in parts {
      if let last = merged.last, last.kind == part.kind,
        part.kind == .plain
          || last.pair.old.map({ $0 + last.pair.new.count }) == part.pair.old
      {
        merged[merged.count - 1].pair = RunPair(
          new: last.pair.new.lowerBound..<part.pair.new.upperBound, old: last.pair.old)
      } else {
        merged.append(part)
      }
    }
    return merged
  }

  /// What is written of a part, piece by piece.
  private func forEachPiece(
    of part: Part, _ old: MappedFile?, _ body: (RawSpan, _ isLast: Bool) throws -> Void
  ) throws {
    let range = part.pair.new
    for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceByteCount) {
      let piece = start..<min(start + Self.pieceByteCount, range.upperBound)
      let bytes = bytes(of: piece, part, old)
      try unsafe body(bytes.span.bytes, piece.upperBound == range.upperBound)
      new.letGo(of: piece)
    }
  }

  private func bytes(of piece: Range<Int>, _ part: Part, _ old: MappedFile?) -> [UInt8] {
    var bytes = new.withBytes(in: piece) { unsafe $0.withUnsafeBytes { unsafe Array($0) } }
    guard part.kind != .plain, let old, let first = part.pair.old else { return bytes }
    let start = first + piece.lowerBound - part.pair.new.lowerBound
    let range = start..<start + piece.count
    old.withBytes(in: range) { span in
      unsafe span.withUnsafeBytes { old in
        let isSum = part.kind == .sum
        for place in bytes.indices {
          unsafe bytes[place] = isSum ? bytes[place] &- old[place] : bytes[place] ^ old[place]
        }
      }
    }
    old.letGo(of: range)
    return bytes
  }

  // MARK: Frames

  private func write(
    _ header: DeltaHeader, _ parts: [Part], old: MappedFile?,
    to file: inout AtomicFile
  ) throws {
    try file.write(header.bytes)
    try compress(parts, old) { bytes in try file.write(bytes) }
  }

  private func frame(of parts: [Part], _ old: MappedFile) throws -> [UInt8] {
    var frame: [UInt8] = []
    try compress(parts, old) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe frame.append(contentsOf: $0) }
    }
    return frame
  }

  private func compress(
    _ parts: [Part], _ old: MappedFile?, _ body: (RawSpan) throws -> Void
  ) throws {
    let encoder = try ZstdWriter(level: Self.level, windowLog: Self.windowLog, workers: workers)
    let count = parts.reduce(0) { $0 + DeltaBlock.byteCount + $1.pair.new.count }
    try encoder.begin(byteCount: count)
    for part in parts {
      try unsafe encoder.compress(part.block.bytes.span.bytes, isLast: false, body)
      try forEachPiece(of: part, old) { bytes, _ in
        try encoder.compress(bytes, isLast: false, body)
      }
    }
    try unsafe encoder.compress([UInt8]().span.bytes, isLast: true, body)
  }

  /// The new file with the old one as its past.
  private func frame(after old: MappedFile) throws -> [UInt8] {
    let encoder = try ZstdWriter(level: Self.level, windowLog: 23, workers: workers)
    try encoder.begin(byteCount: new.byteCount, prefix: old)
    var frame: [UInt8] = []
    try new.withBytes { all in
      try encoder.compress(all, isLast: true) { bytes in
        unsafe bytes.withUnsafeBytes { unsafe frame.append(contentsOf: $0) }
      }
    }
    return frame
  }
}
