import CZstd

/// What libzstd says against some bytes, or lacks.
package struct ZstdError: Error, Equatable, CustomStringConvertible {
  /// In its own words.
  package let reason: String

  package var description: String { "zstd: \(reason)" }

  init(_ reason: String) { self.reason = reason }
}

extension ZstdError {
  static func check(_ code: Int) throws(ZstdError) {
    guard ZSTD_isError(code) == 0 else {
      throw ZstdError(unsafe String(cString: ZSTD_getErrorName(code)).lowercased())
    }
  }
}
