package import Graph

/// The stored numbers of a table in two parts.
package struct SplitCodes: Equatable, CompressedCodes {
  /// Rows in the first part.
  package let rows: Int
  package let first: CompressedTensor.Content
  package let rest: CompressedTensor.Content

  package init(rows: Int, first: CompressedTensor.Content, rest: CompressedTensor.Content) {
    self.rows = rows
    self.first = first
    self.rest = rest
  }

  /// The two parts as tensors of their own.
  ///
  /// - Throws: `CompressionError.inconsistent` when a part does not fit its rows.
  package func tensors(
    of table: WeightReference, _ floats: FloatType
  ) throws(CompressionError) -> (first: CompressedTensor, rest: CompressedTensor) {
    let (first, rest) = parts(of: table)
    return (
      try CompressedTensor(first, self.first, floats: floats, relativeError: 0),
      try CompressedTensor(rest, self.rest, floats: floats, relativeError: 0)
    )
  }

  private func parts(of table: WeightReference) -> (first: WeightReference, rest: WeightReference) {
    SplitScheme.parts(of: table, rows: rows)
  }

  func scheme(of reference: WeightReference) -> Scheme? {
    let (first, rest) = parts(of: reference)
    guard let own = self.first.codes.scheme(of: first),
      let other = self.rest.codes.scheme(of: rest)
    else { return nil }
    return .split(SplitScheme(rows: rows, first: own, rest: other))
  }

  func byteCount(_ floats: FloatType) -> Int {
    first.codes.byteCount(floats) + rest.codes.byteCount(floats)
  }

  func check(for reference: WeightReference) throws(CompressionError) {
    if let fault = SplitScheme.fault(rows: rows, of: reference.shape) {
      throw .refused([TensorRefusal(name: reference.name, fault: fault)])
    }
    let (first, rest) = parts(of: reference)
    for (content, part) in [(self.first, first), (self.rest, rest)] {
      switch content {
      case .uncompressed, .narrow: try SplitScheme.check(part: nil)
      case .split: throw .splitInto(SchemeSpelling.split)
      case .linear, .palette: try content.codes.check(for: part)
      }
    }
  }

  func decoder(of reference: WeightReference, _ floats: FloatType) -> any ValueDecoder {
    let (first, rest) = parts(of: reference)
    return SplitDecoder(
      place: first.elementCount, first: self.first.codes.decoder(of: first, floats),
      rest: self.rest.codes.decoder(of: rest, floats))
  }
}

/// Values of a table in two parts.
private struct SplitDecoder: ValueDecoder {
  /// Values in the first part, a multiple of eight.
  let place: Int
  let first: any ValueDecoder
  let rest: any ValueDecoder

  func write(_ range: Range<Int>, into output: UnsafeMutableBufferPointer<Float>) {
    let count = max(0, min(place, range.upperBound) - range.lowerBound)
    if count > 0 {
      unsafe first.write(range.lowerBound..<range.lowerBound + count, into: output)
    }
    guard count < range.count else { return }
    unsafe rest.write(
      range.lowerBound + count - place..<range.upperBound - place,
      into: UnsafeMutableBufferPointer(rebasing: output[count...]))
  }
}
