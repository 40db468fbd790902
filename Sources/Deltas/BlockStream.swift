import Files

/// Takes the blocks of a delta apart as they come, and makes new bytes of them.
struct BlockStream {
  private let old: MappedFile?
  private let oldLength: Int
  /// Bytes that no block was read for yet.
  private var room: Int
  /// The first bytes of the next block.
  private var head: [UInt8] = []
  private var block: DeltaBlock?
  /// Bytes of the block that were made.
  private var made = 0
  private var buffer: [UInt8] = []

  init(_ old: MappedFile?, oldLength: Int, room: Int) {
    (self.old, self.oldLength, self.room) = (old, oldLength, room)
  }

  /// Whether the last block is whole.
  var isAtEnd: Bool { head.isEmpty && block == nil }

  /// - Parameters:
  ///   - malformed: the error of a delta that is wrong in a way.
  ///   - body: takes new bytes.
  mutating func take(
    _ bytes: RawSpan, malformed: (String) -> DeltaError, _ body: (RawSpan) throws -> Void
  ) throws {
    var start = 0
    while start < bytes.byteCount {
      guard let block else {
        let count = min(DeltaBlock.byteCount - head.count, bytes.byteCount - start)
        for place in start..<start + count {
          head.append(unsafe bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))
        }
        start += count
        if head.count == DeltaBlock.byteCount { try beginBlock(malformed) }
        continue
      }
      let count = min(block.count - made, bytes.byteCount - start, 1 << 16)
      let piece = bytes.extracting(start..<start + count)
      switch block.kind {
      case .plain: try body(piece)
      case .sum, .xor: try combine(piece, block, body)
      }
      start += count
      made += count
      if made == block.count { self.block = nil }
    }
  }

  private mutating func beginBlock(_ malformed: (String) -> DeltaError) throws {
    guard let next = DeltaBlock(head, oldLength: oldLength, room: room) else {
      throw malformed(
        "has a block that reaches beyond its files, or is none: \(head.map { Int($0) })")
    }
    room -= next.count
    (block, made, head) = (next, 0, [])
  }

  /// Old bytes and what changes them.
  private mutating func combine(
    _ change: RawSpan, _ block: DeltaBlock, _ body: (RawSpan) throws -> Void
  ) throws {
    guard let old else { return }
    let range = block.offset + made..<block.offset + made + change.byteCount
    buffer.removeAll(keepingCapacity: true)
    old.withBytes(in: range) { bytes in
      unsafe change.withUnsafeBytes { change in
        unsafe bytes.withUnsafeBytes { old in
          let isSum = block.kind == .sum
          for place in 0..<old.count {
            unsafe buffer.append(isSum ? old[place] &+ change[place] : old[place] ^ change[place])
          }
        }
      }
    }
    old.letGo(of: range)
    try unsafe buffer.withUnsafeBytes { unsafe try body($0.bytes) }
  }
}
