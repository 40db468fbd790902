import Execution
import Files
import Synchronization

/// The directions of rows in 16-bit integers, whose products are exact.
///
/// A product of two rounded directions is their cosine up to what both are off: with q = x + d,
/// |q·r − x·y| ≤ |d| |y| + |x| |e| + |d| |e| for directions x and y of length 1.
struct RoundedRows: Sendable {
  /// Length of a direction as it is rounded. A sum of products stays below its square.
  static let scale = 32000.0

  /// Numbers of the rows that have a direction.
  let numbers: [Int]
  let lines: IntegerLines
  /// The most that a rounded direction is off, as a part of its length.
  private let error: Double

  /// - Parameter jobs: threads.
  init(_ vectors: Vectors, _ rows: [Int], jobs: Int) {
    numbers = rows.filter { vectors.length($0) > 0 && vectors.length($0).isFinite }
    let rounded = Workers.map(numbers.count, jobs: jobs) { [numbers] in
      RoundedRows.rounded(vectors.direction(of: numbers[$0]))
    }
    var values: [Int16] = []
    values.reserveCapacity(numbers.count * 8 * vectors.stride)
    for row in rounded { values += row.integers }
    lines = IntegerLines(values, width: 8 * vectors.stride)
    error = rounded.map(\.error).max() ?? 0
  }

  /// A direction in integers, and how much it is off, as a part of its length.
  private static func rounded(
    _ direction: [SIMD8<Double>]
  ) -> (integers: [Int16], error: Double) {
    var off = SIMD8<Double>.zero
    var integers: [Int16] = []
    integers.reserveCapacity(8 * direction.count)
    for part in direction {
      let exact = part * scale
      let whole = exact.rounded(.toNearestOrEven)
      off += (exact - whole) * (exact - whole)
      for lane in 0..<8 { integers.append(Int16(whole[lane])) }
    }
    return (integers, off.sum().squareRoot() / scale)
  }

  /// The most that a product differs from the cosine times the square of the scale.
  func margin(by others: RoundedRows) -> Int {
    RoundedRows.margin(error, others.error, width: lines.width)
  }

  /// The most that a product differs from the cosine times the square of the scale, where directions
  /// are off by some parts of their lengths. Two, and a millionth of the width, are for the rounding of
  /// cosines and of errors in Double.
  static func margin(_ error: Double, _ other: Double, width: Int) -> Int {
    let part = error + other + error * other
    return Int((part * scale * scale).rounded(.up)) + 2 + width / 1_000_000
  }

  /// Rows that are multiplied at a time, so that they stay near the processor: whole panels.
  var blockSize: Int { IntegerRows.panel * min(15, max(1, 6144 / max(1, lines.width))) }

  /// The rows in blocks, in order.
  func blocks(of size: Int) -> [Range<Int>] {
    stride(from: 0, to: numbers.count, by: size).map { $0..<min($0 + size, numbers.count) }
  }

  /// The rows as tiles need them.
  func panels(jobs: Int) -> IntegerRows {
    IntegerRows(count: numbers.count, width: lines.width, jobs: jobs) { Array(lines[$0]) }
  }
}
