import CZlib

/// Undoes deflate, piece by piece and never beyond the size expected.
enum Inflate {
  private static let pieceByteCount = 1 << 16
  private static let inputByteCount = 1 << 20

  /// The version of zlib.
  static var libraryVersion: String { unsafe String(cString: zlibVersion()) }

  /// Inflates a raw deflate stream (RFC 1951) that must give exactly `expected` bytes and end with
  /// the last byte of `compressed`.
  ///
  /// - Parameters:
  ///   - letGo: called with ranges of `compressed` that are no longer needed.
  ///   - body: takes the next bytes; returning false ends the work early, without further checks.
  /// - Returns: the fault of the stream, nil if it is sound.
  static func pieces(
    of compressed: RawSpan, expected: Int, letGo: (Range<Int>) -> Void = { _ in },
    _ body: (RawSpan) -> Bool
  ) -> String? {
    var total = 0
    return run(compressed, window: -MAX_WBITS, "deflate stream", took: letGo) { piece in
      total += piece.byteCount
      if total > expected {
        return .finish("inflates to more than the \(expected) bytes stated")
      }
      return body(piece) ? .goOn : .finish(nil)
    } ended: { left in
      guard total == expected else {
        return .finish("inflates to \(total) bytes, \(expected) are stated")
      }
      return .finish(left == 0 ? nil : "has \(left) bytes after the end of its deflate stream")
    }
  }

  /// Inflates gzip members one after another; zlib compares the CRC-32 and size of each.
  ///
  /// - Returns: the fault, nil if all members are sound.
  static func members(
    of compressed: RawSpan, limit: Int, _ body: (RawSpan) -> Void
  ) -> String? {
    var total = 0
    // 16 more than the window: a gzip header and trailer.
    return run(compressed, window: MAX_WBITS + 16, "gzip data") { piece in
      total += piece.byteCount
      guard total <= limit else {
        return .finish("inflates to more than \(limit) bytes, the limit")
      }
      body(piece)
      return .goOn
    } ended: { left in
      left == 0 ? .finish(nil) : .goOn
    }
  }

  /// The next step after a piece, or after the end of a stream.
  private enum Next {
    case goOn
    /// Ends the work, with a fault or nil.
    case finish(String?)
  }

  /// Inflates consecutive streams.
  ///
  /// - Parameters:
  ///   - window: zlib's number for the window and the form of the stream.
  ///   - name: the stream's name in faults.
  ///   - took: called with ranges of `compressed` that are no longer needed.
  ///   - gave: takes the next bytes.
  ///   - ended: called at the end of a stream, with the number of bytes behind it.
  private static func run(
    _ compressed: RawSpan, window: Int32, _ name: String,
    took: (Range<Int>) -> Void = { _ in }, gave: (RawSpan) -> Next, ended: (Int) -> Next
  ) -> String? {
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, window, ZLIB_VERSION, size) == Z_OK else {
      return "zlib cannot start"
    }
    defer { unsafe inflateEnd(&stream) }
    var piece = [UInt8](repeating: 0, count: pieceByteCount)
    var start = 0
    while true {
      let end = min(start + inputByteCount, compressed.byteCount)
      let input = compressed.extracting(start..<end)
      let (status, taken, given) = unsafe step(&stream, input, &piece)
      if taken > 0 { took(start..<start + taken) }
      start += taken
      if given > 0,
        case .finish(let fault) = unsafe gave(piece.span.extracting(0..<given).bytes)
      {
        return fault
      }
      switch status {
      case Z_STREAM_END:
        if case .finish(let fault) = ended(compressed.byteCount - start) { return fault }
        guard unsafe inflateReset(&stream) == Z_OK else { return "zlib cannot go on" }
      case Z_OK where taken > 0 || given > 0: continue
      case Z_OK, Z_BUF_ERROR: return "its \(name) is cut off"
      default: return "its \(name) is damaged"
      }
    }
  }

  /// Inflates as much of some input as fits a piece: zlib's status, bytes taken and bytes given.
  private static func step(
    _ stream: inout z_stream, _ input: RawSpan, _ piece: inout [UInt8]
  ) -> (status: Int32, taken: Int, given: Int) {
    unsafe input.withUnsafeBytes { input in
      unsafe piece.withUnsafeMutableBufferPointer { output in
        // zlib does not write to its input; the pointer is mutable for historical reasons.
        unsafe stream.next_in = UnsafeMutablePointer(
          mutating: input.bindMemory(to: UInt8.self).baseAddress)
        unsafe stream.avail_in = UInt32(input.count)
        unsafe stream.next_out = output.baseAddress
        unsafe stream.avail_out = UInt32(output.count)
        let status = unsafe inflate(&stream, Z_NO_FLUSH)
        return unsafe (
          status, input.count - Int(stream.avail_in), output.count - Int(stream.avail_out)
        )
      }
    }
  }

  /// The CRC-32 of some bytes, going on from that of the bytes before them (0 at the start).
  static func checksum(_ previous: UInt32, _ bytes: RawSpan) -> UInt32 {
    var result = UInt(previous)
    var start = 0
    while start < bytes.byteCount {
      let count = min(bytes.byteCount - start, 1 << 30)
      let part = bytes.extracting(start..<start + count)
      result = unsafe part.withUnsafeBytes { all in
        unsafe crc32(result, all.bindMemory(to: UInt8.self).baseAddress, UInt32(count))
      }
      start += count
    }
    return UInt32(truncatingIfNeeded: result)
  }
}

/// The library that compressed weight files are read with.
package enum InflateLibrary {
  /// The version of zlib as found at run time.
  package static var version: String { Inflate.libraryVersion }
}
