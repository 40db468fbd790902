import Execution
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
  let integers: IntegerRows
  /// The most that a rounded direction is off, as a part of its length.
  private let error: Double
  private let width: Int

  /// - Parameter jobs: threads.
  init(_ vectors: Vectors, _ rows: [Int], jobs: Int) {
    let numbers = rows.filter { vectors.length($0) > 0 && vectors.length($0).isFinite }
    let worst = Mutex(0.0)
    self.numbers = numbers
    width = 8 * vectors.stride
    integers = IntegerRows(count: numbers.count, width: width, jobs: jobs) { place in
      let (integers, error) = RoundedRows.rounded(vectors.direction(of: numbers[place]))
      worst.withLock { $0 = max($0, error) }
      return integers
    }
    error = worst.withLock { $0 }
  }

  /// A direction in integers, and how much it is off, as a part of its length.
  private static func rounded(_ direction: [SIMD8<Double>]) -> ([Int16], error: Double) {
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

  /// The most that a product differs from the cosine times the square of the scale. Two, and a
  /// millionth of the width, are for the rounding of cosines and of errors in Double.
  func margin(by others: RoundedRows) -> Int {
    let part = error + others.error + error * others.error
    return Int((part * RoundedRows.scale * RoundedRows.scale).rounded(.up)) + 2 + width / 1_000_000
  }

  /// Rows that are multiplied at a time, so that they stay near the processor: whole panels.
  var blockSize: Int { IntegerRows.panel * min(15, max(1, 6144 / max(1, width))) }

  /// The rows in blocks, in order.
  func blocks(of size: Int) -> [Range<Int>] {
    stride(from: 0, to: numbers.count, by: size).map { $0..<min($0 + size, numbers.count) }
  }
}
