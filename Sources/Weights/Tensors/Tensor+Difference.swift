import Files

extension Tensor {
  /// Number of stored bytes of each tensor compared at once.
  private static let comparedByteCount = 1 << 20

  /// Offset of the first stored byte that differs from a second tensor, or that only one of them
  /// has; nil if they are equal.
  ///
  /// Of tensors in files, at most one piece is in memory.
  ///
  /// - Throws: as `withBytes(_:)`.
  package func firstDifference(from other: Tensor) throws(WeightsError) -> Int? {
    guard case .mapped(let file, let range) = storage,
      case .mapped(let otherFile, let otherRange) = other.storage
    else {
      return try withBytes { (bytes) throws(WeightsError) -> Int? in
        try other.withBytes { bytes.firstDifference(from: $0) }
      }
    }
    let count = min(range.count, otherRange.count)
    for start in stride(from: 0, to: count, by: Tensor.comparedByteCount) {
      let end = min(start + Tensor.comparedByteCount, count)
      let piece = range.lowerBound + start..<range.lowerBound + end
      let otherPiece = otherRange.lowerBound + start..<otherRange.lowerBound + end
      let offset = file.withBytes(in: piece) { bytes in
        otherFile.withBytes(in: otherPiece) { bytes.firstDifference(from: $0) }
      }
      if let offset { return start + offset }
      // Small tensors share their pages with others.
      guard count >= Tensor.comparedByteCount else { continue }
      file.letGo(of: piece)
      otherFile.letGo(of: otherPiece)
    }
    return range.count == otherRange.count ? nil : count
  }
}

extension RawSpan {
  /// Offset of the first byte that differs or is on one side only; nil if both are equal.
  package func firstDifference(from other: RawSpan) -> Int? {
    let count = Swift.min(byteCount, other.byteCount)
    let offset = unsafe withUnsafeBytes { left in
      unsafe other.withUnsafeBytes { right in
        (0..<count).first { unsafe left[$0] != right[$0] }
      }
    }
    return offset ?? (byteCount == other.byteCount ? nil : count)
  }
}
