/// What libzstd says against some bytes, or lacks.
package struct ZstdError: Error, Equatable, CustomStringConvertible {
  /// In its own words.
  package let reason: String

  package var description: String { "zstd: \(reason)" }

  init(_ reason: String) { self.reason = reason }
}
