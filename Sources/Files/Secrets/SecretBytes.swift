#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Secret bytes: they are zeroed when the value goes out of scope, and never appear in a
/// description.
@safe package struct SecretBytes: ~Copyable {
  private let buffer: UnsafeMutableRawBufferPointer
  /// Number of bytes.
  package let count: Int

  /// `count` zeros, for filling.
  package init(count: Int) {
    self.count = count
    unsafe buffer = .allocate(byteCount: count, alignment: 1)
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    // A plain loop before a deallocation is one that compilers leave out.
    #if canImport(Darwin)
      if let base = unsafe buffer.baseAddress { unsafe memset_s(base, count, 0, count) }
    #else
      if let base = unsafe buffer.baseAddress { unsafe explicit_bzero(base, count) }
    #endif
    unsafe buffer.deallocate()
  }

  /// Lends the bytes.
  package borrowing func withBytes<Result, Failure>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(buffer).bytes)
  }

  /// Fills the bytes from their start.
  ///
  /// - Parameter read: fills a buffer; returns the number of bytes written, 0 to stop.
  /// - Returns: whether all bytes were filled.
  func fill(_ read: (UnsafeMutableRawBufferPointer) -> Int) -> Bool {
    var start = 0
    while start < count {
      let got = unsafe read(UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
      guard got > 0 else { return false }
      start += got
    }
    return true
  }

  /// Writes one byte.
  package mutating func set(_ byte: UInt8, at offset: Int) {
    precondition(offset >= 0 && offset < count, "offset outside the bytes")
    unsafe buffer[offset] = byte
  }
}
