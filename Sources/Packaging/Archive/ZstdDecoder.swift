import CZstd

/// libzstd's means of decompression, for one frame after another.
@safe final class ZstdDecoder {
  /// Largest window a frame may ask for: 2^23 bytes, what phones are advised to support.
  static let windowLogLimit: Int32 = 23

  private let context: OpaquePointer
  /// The output of the last call, from the start.
  private var buffer = [UInt8](repeating: 0, count: 1 << 17)

  init() throws(ArchiveFault) {
    guard let context = unsafe ZSTD_createDCtx() else {
      throw .damagedFrame(reason: "out of memory")
    }
    unsafe self.context = unsafe context
    unsafe ZSTD_DCtx_setParameter(
      context, ZSTD_d_windowLogMax, ZstdDecoder.windowLogLimit)
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  /// Drops the rest of an earlier frame.
  func begin() { unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only) }

  /// One call of the library.
  ///
  /// - Returns: bytes taken and given, and whether the frame is complete.
  func decompress(
    _ bytes: RawSpan
  ) throws(ArchiveFault) -> (taken: Int, given: Int, isComplete: Bool) {
    var (taken, given) = (0, 0)
    let code = unsafe bytes.withUnsafeBytes { all in
      var input = unsafe ZSTD_inBuffer(src: all.baseAddress, size: all.count, pos: 0)
      let code = unsafe buffer.withUnsafeMutableBytes { space in
        var target = unsafe ZSTD_outBuffer(dst: space.baseAddress, size: space.count, pos: 0)
        let code = unsafe ZSTD_decompressStream(context, &target, &input)
        given = unsafe target.pos
        return code
      }
      taken = unsafe input.pos
      return code
    }
    guard ZSTD_isError(code) == 0 else {
      throw .damagedFrame(
        reason: unsafe String(cString: ZSTD_getErrorName(code)).lowercased())
    }
    return (taken, given, code == 0)
  }

  /// Lends a range of what the last call gave.
  func withBytes(in range: Range<Int>, _ body: (RawSpan) throws -> Void) rethrows {
    try unsafe buffer.withUnsafeBytes { all in
      try unsafe body(UnsafeRawBufferPointer(rebasing: all[range]).bytes)
    }
  }
}
