import CZstd
package import Files

/// Compresses zstd frames, one after another, always to the same bytes with the same libzstd.
///
/// libzstd gives the same bytes for any number of workers from one on, but others without workers;
/// so there is always at least one. Its tables and threads are kept from frame to frame, which
/// changes no byte either.
@safe package final class ZstdWriter {
  /// Weights hardly compress; higher levels gain nothing on them.
  package static let levelOfWeights = 3

  private let context: OpaquePointer
  private var output = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())
  /// What the frame refers back to, as long as it is written.
  private var prefix: MappedFile?

  /// The version of the library at run time.
  package static var libraryVersion: String { unsafe String(cString: ZSTD_versionString()) }

  /// - Parameters:
  ///   - level: 1...19.
  ///   - windowLog: of the largest window that may be asked for; nil for the level's own.
  ///   - workers: threads to use.
  package init(
    level: Int = ZstdWriter.levelOfWeights, windowLog: Int32? = nil, workers: Int
  ) throws(ZstdError) {
    guard let context = unsafe ZSTD_createCCtx() else { throw ZstdError("out of memory") }
    unsafe self.context = unsafe context
    try set(ZSTD_c_compressionLevel, to: Int32(clamping: level))
    try set(ZSTD_c_checksumFlag, to: 1)
    try set(ZSTD_c_contentSizeFlag, to: 1)
    if let windowLog { try set(ZSTD_c_windowLog, to: windowLog) }
    try set(ZSTD_c_nbWorkers, to: Int32(clamping: max(1, min(workers, 64))))
  }

  deinit { unsafe ZSTD_freeCCtx(context) }

  /// Begins a frame; the rest of an earlier one is dropped.
  ///
  /// - Parameters:
  ///   - byteCount: bytes that will be compressed, exactly.
  ///   - prefix: a file that the frame refers back to, which its reader must have.
  package func begin(byteCount: Int, prefix: MappedFile? = nil) throws(ZstdError) {
    try ZstdError.check(unsafe ZSTD_CCtx_reset(context, ZSTD_reset_session_only))
    try ZstdError.check(unsafe ZSTD_CCtx_setPledgedSrcSize(context, UInt64(byteCount)))
    self.prefix = prefix
    guard let prefix else { return }
    // The mapping lives as long as `prefix`.
    let code = prefix.withBytes { bytes in
      unsafe bytes.withUnsafeBytes { unsafe ZSTD_CCtx_refPrefix(context, $0.baseAddress, $0.count) }
    }
    try ZstdError.check(code)
  }

  /// Takes bytes, handing over what is compressed so far.
  ///
  /// - Parameter isLast: whether the frame ends with these bytes.
  package func compress(
    _ bytes: RawSpan, isLast: Bool, _ body: (RawSpan) throws -> Void
  ) throws {
    try unsafe bytes.withUnsafeBytes { all in
      var input = unsafe ZSTD_inBuffer(src: all.baseAddress, size: all.count, pos: 0)
      var remaining = 0
      repeat {
        let produced: Int
        (produced, remaining) = try unsafe step(&input, isLast ? ZSTD_e_end : ZSTD_e_continue)
        try unsafe output.withUnsafeBytes { made in
          try unsafe body(UnsafeRawBufferPointer(rebasing: made[..<produced]).bytes)
        }
      } while unsafe input.pos < input.size || (isLast && remaining > 0)
    }
  }

  /// One call of the library: bytes produced, and bytes it still holds.
  private func step(
    _ input: inout ZSTD_inBuffer, _ directive: ZSTD_EndDirective
  ) throws(ZstdError) -> (Int, Int) {
    var produced = 0
    let remaining = unsafe output.withUnsafeMutableBytes { space in
      var target = unsafe ZSTD_outBuffer(dst: space.baseAddress, size: space.count, pos: 0)
      let remaining = unsafe ZSTD_compressStream2(context, &target, &input, directive)
      produced = unsafe target.pos
      return remaining
    }
    try ZstdError.check(remaining)
    return (produced, remaining)
  }

  private func set(_ parameter: ZSTD_cParameter, to value: Int32) throws(ZstdError) {
    try ZstdError.check(unsafe ZSTD_CCtx_setParameter(context, parameter, value))
  }
}
