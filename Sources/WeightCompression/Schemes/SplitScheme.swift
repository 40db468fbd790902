package import Graph

/// The first rows of a table by one scheme, and all others by another.
///
/// Vocabularies are about in the order of frequency, so that the first rows are looked up most.
package struct SplitScheme: Hashable, Sendable {
  /// Rows in the first part.
  package let rows: Int
  /// Of the first rows.
  package let first: Scheme
  /// Of all others.
  package let rest: Scheme

  package init(rows: Int, first: Scheme, rest: Scheme) {
    self.rows = rows
    self.first = first
    self.rest = rest
  }

  /// Rows of a table that are stored by one scheme.
  package struct Part: Hashable, Sendable {
    /// The rows as a weight of their own, with the name of the table.
    package let reference: WeightReference
    package let scheme: Scheme
    /// The place of the first of them in the table.
    package let firstRow: Int

    package init(_ reference: WeightReference, _ scheme: Scheme, firstRow: Int = 0) {
      self.reference = reference
      self.scheme = scheme
      self.firstRow = firstRow
    }
  }

  /// The two parts as weights of their own; a table [rows, width] has more rows than the first.
  package func parts(of table: WeightReference) -> (first: WeightReference, rest: WeightReference) {
    Self.parts(of: table, rows: rows)
  }

  /// The same of a table that is cut after so many rows.
  package static func parts(
    of table: WeightReference, rows: Int
  ) -> (first: WeightReference, rest: WeightReference) {
    let width = Array(table.shape.dropFirst())
    let count = table.shape.first ?? 0
    return (
      WeightReference(table.name, [rows] + width, role: table.role),
      WeightReference(table.name, [max(0, count - rows)] + width, role: table.role)
    )
  }

  /// The numbers of a table whose parts are compressed one after the other.
  ///
  /// - Parameter compress: makes the numbers of one part from its values.
  package func codes<Fault: Error>(
    of values: [Float], _ table: WeightReference,
    _ compress: (Part, [Float]) throws(Fault) -> CompressedTensor.Content
  ) throws(Fault) -> SplitCodes {
    let (first, rest) = parts(of: table)
    let place = first.elementCount
    return SplitCodes(
      rows: rows,
      first: try compress(Part(first, self.first), Array(values[..<place])),
      rest: try compress(Part(rest, self.rest, firstRow: rows), Array(values[place...])))
  }
}

extension SplitScheme {
  /// Refuses what no part of a table can be stored by; nil if it is to stay uncompressed.
  package static func check(part: Scheme?) throws(CompressionError) {
    switch part {
    case nil, .unique, .split, .narrow: throw .splitInto(SchemeSpelling(part).scheme)
    case .linear, .palette: break
    }
  }

  /// Why a table of some shape cannot be cut after so many rows; nil if it can.
  package static func fault(rows: Int, of shape: [Int]) -> TensorRefusal.Fault? {
    guard shape.count == 2 else { return .splitOfNoTable }
    guard rows >= 1, rows < shape[0] else { return .split(rows: rows, of: shape[0]) }
    // Decoders start on multiples of eight.
    return (rows % 8) * (shape[1] % 8) % 8 == 0 ? nil : .unevenSplit(rows: rows, width: shape[1])
  }
}

extension SplitScheme: CompressionScheme {
  /// "4000 rows in palette 6 bits in groups of 8, others in palette 3 bits in groups of 16".
  package var label: String {
    "\(rows) \(rows == 1 ? "row" : "rows") in \(first.label), others in \(rest.label)"
  }
  package var isLossless: Bool { false }
  package var fitsEveryWeight: Bool { false }
  /// The parts have scales of their own.
  package var hasOneScale: Bool { false }
  /// All of them: the place where the parts meet is counted from the first.
  package var channelUnit: Int { .max }

  package func validate() throws(CompressionError) {
    guard rows >= 1 else { throw .invalidSplit(rows: rows) }
    for part in [first, rest] {
      try Self.check(part: part)
      try part.validate()
    }
  }

  package func fault(of reference: WeightReference) -> TensorRefusal.Fault? {
    guard reference.role == .tokenTable else { return .splitOfNoTable }
    if let fault = Self.fault(rows: rows, of: reference.shape) { return fault }
    let (first, rest) = parts(of: reference)
    return self.first.own.fault(of: first).map { .part(0..<rows, $0) }
      ?? self.rest.own.fault(of: rest).map { .part(rows..<reference.shape[0], $0) }
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

  /// The numbers of the first part are kept while the other is compressed.
  package func peakBytes(of reference: WeightReference, jobs: Int) -> Int {
    let (first, rest) = parts(of: reference)
    return 4 * reference.elementCount
      + max(
        self.first.own.peakBytes(of: first, jobs: jobs),
        self.first.own.storedBytes(of: first, .float32)
          + self.rest.own.peakBytes(of: rest, jobs: jobs))
  }

  package func compress(
    _ values: [Float], _ reference: WeightReference, _ floats: FloatType, importance: Importance?,
    jobs: Int
  ) -> CompressedTensor.Content {
    .split(
      codes(of: values, reference) { part, values in
        part.scheme.own.compress(
          values, part.reference, floats, importance: importance, jobs: jobs)
      })
  }
}

extension Scheme {
  /// Whether it stores a table in two parts.
  package var isSplit: Bool { if case .split = self { true } else { false } }
}
