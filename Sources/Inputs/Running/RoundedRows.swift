import Execution
import Files

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
    let width = 8 * vectors.stride
    let runs = Workers.map(numbers.count, inRunsOf: RoundedRows.run, jobs: jobs) { [numbers] rows in
      var integers: [Int16] = []
      integers.reserveCapacity(rows.count * width)
      let errors = rows.map {
        RoundedRows.round(vectors.direction(of: numbers[$0]), onto: &integers)
      }
      return (integers: integers, error: errors.max() ?? 0)
    }
    var values: [Int16] = []
    values.reserveCapacity(numbers.count * width)
    for run in runs { values += run.integers }
    lines = IntegerLines(values, width: width)
    error = runs.map(\.error).max() ?? 0
  }

  /// Rows that a thread rounds at a time.
  static let run = 64

  /// Adds a direction in integers.
  ///
  /// - Returns: how much it is off then, as a part of its length.
  private static func round(
    _ direction: [SIMD8<Double>], onto integers: inout [Int16]
  ) -> Double {
    var off = SIMD8<Double>.zero
    for part in direction {
      let exact = part * scale
      let whole = exact.whole
      off += (exact - whole) * (exact - whole)
      for lane in 0..<8 { integers.append(Int16(whole[lane])) }
    }
    return off.sum().squareRoot() / scale
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

extension SIMD8<Double> {
  /// The nearest whole numbers, even ones of two as near; of numbers below 2⁵¹. Adding 1.5 · 2⁵² leaves
  /// no bits for a fraction.
  var whole: Self {
    let large = 0x1.8p52
    return (self + large) - large
  }
}
