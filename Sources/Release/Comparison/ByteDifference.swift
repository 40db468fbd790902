import Files
import Weights

/// Where bytes begin to differ.
enum ByteDifference {
  /// Offset of the first byte of two files that is another or is on one side only; nil if there is
  /// none.
  ///
  /// - Parameter progress: told how many bytes of both are the same, of how many that both have.
  static func firstOffset(
    _ left: MappedFile, _ right: MappedFile, progress: (Int, Int) -> Void = { _, _ in }
  ) -> Int? {
    let count = min(left.byteCount, right.byteCount)
    for start in stride(from: 0, to: count, by: 1 << 20) {
      let range = start..<min(start + 1 << 20, count)
      let offset = left.withBytes(in: range) { bytes in
        right.withBytes(in: range) { bytes.firstDifference(from: $0) }
      }
      if let offset { return start + offset }
      left.letGo(of: range)
      right.letGo(of: range)
      progress(range.upperBound, count)
    }
    return left.byteCount == right.byteCount ? nil : count
  }

  /// A cause when two files differ.
  ///
  /// - Parameter progress: as of `firstOffset`.
  static func cause(
    _ left: String, _ right: String, item: String? = nil,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Cause? {
    let files = (try MappedFile(path: left), try MappedFile(path: right))
    guard let offset = firstOffset(files.0, files.1, progress: progress) else { return nil }
    return Cause(
      kind: .bytes, item: item, left: "\(files.0.byteCount) bytes",
      right: "\(files.1.byteCount) bytes", note: "from byte \(offset) on")
  }
}
