import Files
import Weights

/// Where bytes begin to differ.
enum ByteDifference {
  /// Offset of the first byte of two files that is another or is on one side only; nil if there is
  /// none.
  static func firstOffset(_ left: MappedFile, _ right: MappedFile) -> Int? {
    let count = min(left.byteCount, right.byteCount)
    for start in stride(from: 0, to: count, by: 1 << 20) {
      let range = start..<min(start + 1 << 20, count)
      let offset = left.withBytes(in: range) { bytes in
        right.withBytes(in: range) { bytes.firstDifference(from: $0) }
      }
      if let offset { return start + offset }
      left.letGo(of: range)
      right.letGo(of: range)
    }
    return left.byteCount == right.byteCount ? nil : count
  }

  /// A cause when two files differ.
  static func cause(_ left: String, _ right: String, item: String? = nil) throws -> Cause? {
    let files = (try MappedFile(path: left), try MappedFile(path: right))
    guard let offset = firstOffset(files.0, files.1) else { return nil }
    return Cause(
      kind: .bytes, item: item, left: "\(files.0.byteCount) bytes",
      right: "\(files.1.byteCount) bytes", note: "from byte \(offset) on")
  }
}
