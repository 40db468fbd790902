package import Graph

/// The first rows of a table by one scheme, and all others by another.
///
/// Vocabularies are about in the order of frequency, so that the first rows are looked up most.
package struct SplitScheme: Hashable, Sendable {
  /// Rows in the first part.
  package let rows: Int
  package let first: Scheme
  package let rest: Scheme

  package init(rows: Int, first: Scheme, rest: Scheme) {
    self.rows = rows
    self.first = first
    self.rest = rest
  }

  /// The two parts as weights of their own; a table [rows, width] has more rows than the first.
  package func parts(of table: WeightReference) -> (first: WeightReference, rest: WeightReference) {
    let width = Array(table.shape.dropFirst())
    let count = table.shape.first ?? 0
    return (
      WeightReference(table.name, [rows] + width, role: table.role),
      WeightReference(table.name, [max(0, count - rows)] + width, role: table.role)
    )
  }
}

extension SplitScheme: CompressionScheme {
  /// "4000 rows in palette 6 bits in groups of 8, others in palette 3 bits in groups of 16".
  package var label: String { "\(rows) rows in \(first.label), others in \(rest.label)" }
  package var isLossless: Bool { false }
  package var fitsEveryWeight: Bool { false }
  package var hasOneScale: Bool { first.own.hasOneScale || rest.own.hasOneScale }
  package var isSharedByChannels: Bool {
    first.own.isSharedByChannels || rest.own.isSharedByChannels
  }
  /// All of them: the place where the parts meet is counted from the first.
  package var channelUnit: Int { .max }

  package func validate() throws(CompressionError) {
    guard rows >= 1 else { throw .invalidSplit(rows: rows) }
    for part in [first, rest] {
      switch part {
      case .split, .unique: throw .splitInto(part.label)
      case .linear, .palette: try part.validate()
      }
    }
  }

  package func fault(of reference: WeightReference) -> TensorRefusal.Fault? {
    guard reference.role == .tokenTable, reference.shape.count == 2 else { return .splitOfNoTable }
    guard rows < reference.shape[0] else {
      return .split(rows: rows, of: reference.shape[0])
    }
    // Packed numbers start on bytes.
    guard rows * reference.shape[1] % 8 == 0 else { return .splitInByte(rows: rows) }
    let (first, rest) = parts(of: reference)
    return self.first.own.fault(of: first) ?? self.rest.own.fault(of: rest)
  }

  /// One: the parts have blocks of their own.
  package func blocks(of reference: WeightReference) -> [Int] { reference.shape.map { _ in 1 } }

  package func storedBits(_ floats: FloatType) -> Int {
    max(first.own.storedBits(floats), rest.own.storedBits(floats))
  }

  package func storedBytes(of reference: WeightReference, _ floats: FloatType) -> Int {
    let (first, rest) = parts(of: reference)
    return self.first.own.storedBytes(of: first, floats)
      + self.rest.own.storedBytes(of: rest, floats)
  }

  package func stored(for reference: WeightReference) -> Scheme {
    let (first, rest) = parts(of: reference)
    return .split(
      SplitScheme(
        rows: rows, first: self.first.own.stored(for: first), rest: self.rest.own.stored(for: rest))
    )
  }

  package func peakBytes(of reference: WeightReference, jobs: Int) -> Int {
    let (first, rest) = parts(of: reference)
    return 4 * reference.elementCount
      + max(
        self.first.own.peakBytes(of: first, jobs: jobs),
        self.rest.own.peakBytes(of: rest, jobs: jobs))
  }

  package func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content {
    let (first, rest) = parts(of: reference)
    let place = first.elementCount
    return .split(
      SplitCodes(
        rows: rows,
        first: self.first.own.compress(
          Array(values[..<place]), first, floats, importance: importance, jobs: jobs),
        rest: self.rest.own.compress(
          Array(values[place...]), rest, floats, importance: importance, jobs: jobs)))
  }
}

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
    SplitScheme(rows: rows, first: .unique, rest: .unique).parts(of: table)
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
    guard reference.shape.count == 2, rows >= 1, rows < reference.shape[0],
      rows * reference.shape[1] % 8 == 0
    else { throw .invalidSplit(rows: rows) }
    let (first, rest) = parts(of: reference)
    for part in [self.first, self.rest] {
      switch part {
      case .uncompressed, .split: throw .splitInto("other parts")
      case .linear, .palette: break
      }
    }
    try self.first.codes.check(for: first)
    try self.rest.codes.check(for: rest)
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
