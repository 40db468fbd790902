import Execution

/// The directions of rows in 16-bit integers, whose products are exact.
///
/// A product of two rounded directions is their cosine up to what both are off: with q = x + d,
/// |q·r − x·y| ≤ |d| |y| + |x| |e| + |d| |e| for directions x and y of length 1.
struct RoundedRows: Sendable {
  /// Length of a direction as it is rounded. A sum of products stays below its square.
  static let scale = 32000.0

  /// Numbers of the rows that have a direction.
  let numbers: [Int]
  let integers: IntegerRows
  /// The most that a rounded direction is off, as a part of its length.
  private let error: Double
  private let width: Int

  init(_ vectors: Vectors, _ rows: [Int]) {
    numbers = rows.filter { vectors.length($0) > 0 && vectors.length($0).isFinite }
    width = 8 * vectors.stride
    var integers = IntegerRows(count: numbers.count, width: width)
    var error = 0.0
    for (place, row) in numbers.enumerated() {
      let direction = vectors.direction(of: row)
      var off = SIMD8<Double>.zero
      var rounded: [Int16] = []
      rounded.reserveCapacity(width)
      for part in direction {
        let exact = part * RoundedRows.scale
        let whole = exact.rounded(.toNearestOrEven)
        off += (exact - whole) * (exact - whole)
        let integer = SIMD8<Int16>(whole)
        for lane in 0..<8 { rounded.append(integer[lane]) }
      }
      integers.set(place, to: rounded)
      error = max(error, off.sum().squareRoot() / RoundedRows.scale)
    }
    (self.integers, self.error) = (integers, error)
  }

  /// The most that a product differs from the cosine times the square of the scale. Two, and a
  /// millionth of the width, are for the rounding of cosines and of errors in Double.
  func margin(by others: RoundedRows) -> Int {
    let part = error + others.error + error * others.error
    return Int((part * RoundedRows.scale * RoundedRows.scale).rounded(.up)) + 2 + width / 1_000_000
  }

  /// Rows that are multiplied at a time, so that they stay near the processor: whole panels.
  var blockSize: Int { IntegerRows.panel * min(16, max(1, 6144 / max(1, width))) }

  /// The rows in blocks, in order.
  func blocks(of size: Int) -> [Range<Int>] {
    stride(from: 0, to: numbers.count, by: size).map { $0..<min($0 + size, numbers.count) }
  }
}
