import CZstd
import Files
import Zstd

/// Reads the only frame of a zstd file, piece by piece and without trust.
@safe final class ZstdReader {
  private let file: MappedFile
  private let decoder: ZstdDecoder
  private var offset = 0
  private var isFinished = false
  /// The part of the decoder's output that was not handed over yet.
  private var pending = 0..<0

  /// Checks the frame's header (RFC 8878, section 3.1.1.1).
  ///
  /// - Parameter file: one that starts as zstd files do.
  init(_ file: MappedFile, _ decoder: ZstdDecoder) throws(ArchiveFault) {
    self.file = file
    self.decoder = decoder
    try file.withBytes(in: 0..<min(18, file.byteCount)) {
      head throws(ArchiveFault) in
      try ZstdReader.checkHeader(unsafe head.withUnsafeBytes { unsafe Array($0) })
    }
    do throws(ZstdError) { try decoder.begin() } catch { throw .damagedFrame(reason: error.reason) }
  }

  /// Checks what a frame says about itself.
  private static func checkHeader(_ head: [UInt8]) throws(ArchiveFault) {
    guard head.count >= 6 else { throw .truncated }
    let descriptor = head[4]
    let isSingleSegment = descriptor & 0x20 != 0
    guard descriptor & 0x18 == 0 else { throw .frameFeature("uses a reserved feature") }
    guard descriptor & 0x03 == 0 else { throw .frameFeature("needs a dictionary") }
    guard descriptor & 0x04 != 0 else { throw .frameFeature("has no checksum") }
    let limit = 1 << Int(ZstdDecoder.windowLogLimit)
    if !isSingleSegment {
      let base = 1 << (10 + Int(head[5] >> 3))
      let window = base + base / 8 * Int(head[5] & 7)
      guard window <= limit else { throw .windowTooLarge(bytes: window, limit: limit) }
    }
    guard descriptor >> 6 != 0 || isSingleSegment else {
      throw .frameFeature("does not declare the size of its content")
    }
    let declared = unsafe head.withUnsafeBytes {
      unsafe ZSTD_getFrameContentSize($0.baseAddress, $0.count)
    }
    // The two largest values mean an unknown size and an error.
    guard declared < UInt64(Int.max) else { throw .truncated }
    guard !isSingleSegment || declared <= UInt64(limit) else {
      throw .windowTooLarge(bytes: Int(declared), limit: limit)
    }
  }

  /// Lends the next bytes of the content, at most `count`; none at its end.
  func next(atMost count: Int, _ body: (RawSpan) throws -> Void) throws -> Int {
    if pending.isEmpty { try fill() }
    let taken = pending.prefix(count)
    if !taken.isEmpty {
      try decoder.withBytes(in: taken, body)
      pending = taken.upperBound..<pending.upperBound
    }
    return taken.count
  }

  /// Checks that the content ended and that nothing follows the frame.
  func checkEnd() throws(ArchiveFault) {
    guard pending.isEmpty else { throw .dataAfterEnd }
    while !isFinished {
      try fill()
      guard pending.isEmpty else { throw .dataAfterEnd }
    }
    let rest = file.byteCount - offset
    guard rest > 0 else { return }
    let isFrame = file.withBytes(in: offset..<offset + min(4, rest)) { head in
      unsafe head.withUnsafeBytes { unsafe $0.elementsEqual([0x28, 0xB5, 0x2F, 0xFD]) }
    }
    if isFrame { throw .secondFrame(offset: offset) }
    throw .trailingBytes(count: rest)
  }

  /// Decompresses into the buffer until it holds something or the frame ends.
  private func fill() throws(ArchiveFault) {
    pending = 0..<0
    while !isFinished && pending.isEmpty {
      let range = offset..<min(offset + (1 << 17), file.byteCount)
      let step = try file.withBytes(in: range) { bytes throws(ArchiveFault) in
        do throws(ZstdError) {
          return try decoder.decompress(bytes)
        } catch {
          throw ArchiveFault.damagedFrame(reason: error.reason)
        }
      }
      pending = 0..<step.given
      offset += step.taken
      isFinished = step.isComplete
      file.letGo(of: range.lowerBound..<offset)
      guard isFinished || step.taken > 0 || step.given > 0 else { throw .truncated }
    }
  }
}
