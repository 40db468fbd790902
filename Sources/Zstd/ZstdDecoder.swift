import CZstd
package import Files

/// libzstd's means of decompression, for one frame after another.
@safe package final class ZstdDecoder {
  /// Largest window a frame may ask for: 2^23 bytes, what phones are advised to support.
  package static let windowLogLimit: Int32 = 23

  private let context: OpaquePointer
  /// The output of the last call, from the start.
  private var buffer = [UInt8](repeating: 0, count: 1 << 17)
  /// What the frame refers back to, as long as it is read.
  private var prefix: MappedFile?

  package init() throws(ZstdError) {
    guard let context = unsafe ZSTD_createDCtx() else { throw ZstdError("out of memory") }
    unsafe self.context = unsafe context
    unsafe ZSTD_DCtx_setParameter(
      context, ZSTD_d_windowLogMax, ZstdDecoder.windowLogLimit)
  }

  deinit { unsafe ZSTD_freeDCtx(context) }

  /// Drops the rest of an earlier frame.
  ///
  /// - Parameter prefix: the file that the frame was compressed with as its past.
  package func begin(prefix: MappedFile? = nil) throws(ZstdError) {
    unsafe ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    self.prefix = prefix
    guard let prefix else { return }
    // The mapping lives as long as `prefix`.
    let code = prefix.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe ZSTD_DCtx_refPrefix(context, $0.baseAddress, $0.count) }
    }
    try ZstdError.check(code)
  }

  /// One call of the library.
  ///
  /// - Returns: bytes taken and given, and whether the frame is complete.
  package func decompress(
    _ bytes: RawSpan
  ) throws(ZstdError) -> (taken: Int, given: Int, isComplete: Bool) {
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
    try ZstdError.check(code)
    return (taken, given, code == 0)
  }

  /// Lends a range of what the last call gave.
  package func withBytes(in range: Range<Int>, _ body: (RawSpan) throws -> Void) rethrows {
    try unsafe buffer.withUnsafeBytes { all in
      try unsafe body(UnsafeRawBufferPointer(rebasing: all[range]).bytes)
    }
  }
}
