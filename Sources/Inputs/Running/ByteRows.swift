import Execution
import Files

/// The directions of rows in 8-bit integers: their products are less exact than those of
/// `RoundedRows`, and some processors make them in half the time.
///
/// Each row has a scale of its own, so that its largest number is 127.
struct ByteRows: Sendable {
  let panels: IntegerRows
  /// How much each direction is off, as a part of its length.
  private let errors: [Double]
  private let mostError: Double
  private let width: Int

  /// The most that a direction may be off, as a part of its length: products of rows that are so much
  /// longer than directions are at most 1.4² · 32000², which fits in 32 bits.
  private static let mostOff = 0.4

  /// Nil where 8-bit integers are no faster, and for rows that they are too coarse for.
  ///
  /// - Parameter jobs: threads.
  init?(_ vectors: Vectors, _ rows: RoundedRows, jobs: Int) {
    width = 8 * vectors.stride
    guard IntegerRows.hasFastBytes, width <= IntegerRows.mostBytes else { return nil }
    let runs = Workers.map(rows.numbers.count, inRunsOf: RoundedRows.run, jobs: jobs) {
      $0.map { ByteRows.rounded(vectors.direction(of: rows.numbers[$0])) }
    }
    let rounded = Array(runs.joined())
    errors = rounded.map(\.error)
    mostError = errors.max() ?? 0
    guard mostError <= ByteRows.mostOff else { return nil }
    panels = IntegerRows(scales: rounded.map(\.scale), width: width, jobs: jobs) {
      rounded[$0].integers
    }
  }

  /// A direction in integers, what they are multiplied by to have the length of rounded directions, and
  /// how much it is off then, as a part of its length.
  private static func rounded(
    _ direction: [SIMD8<Double>]
  ) -> (integers: [Int8], scale: Float, error: Double) {
    var sizes = SIMD8<Double>.zero
    for part in direction {
      sizes.replace(with: part, where: part .> sizes)
      sizes.replace(with: -part, where: -part .> sizes)
    }
    let largest = sizes.max()
    let scale = Float(RoundedRows.scale * largest / 127)
    let step = Double(scale) / RoundedRows.scale
    let most = SIMD8<Double>(repeating: 127), inverse = 1 / step
    var off = SIMD8<Double>.zero
    var integers: [Int8] = []
    integers.reserveCapacity(8 * direction.count)
    for part in direction {
      var whole = (part * inverse).whole
      whole.replace(with: most, where: whole .> most)
      whole.replace(with: -most, where: whole .< -most)
      off += (part - whole * step) * (part - whole * step)
      for lane in 0..<8 { integers.append(Int8(whole[lane])) }
    }
    return (integers, scale, off.sum().squareRoot())
  }

  /// For each row, how much farther from the cosine a product with any of others may be than one of
  /// `RoundedRows`. Products are rounded in Float: by less than a millionth of what they are at most.
  ///
  /// - Parameter margin: how far one of `RoundedRows` may be.
  func doubts(by others: ByteRows, beside margin: Int) -> [Int] {
    let rounding = Int(RoundedRows.scale * RoundedRows.scale / 500_000)
    return errors.map {
      max(0, RoundedRows.margin($0, others.mostError, width: width) + rounding - margin)
    }
  }

  /// For each row, how much nearer to the cosine its products are at least than those of the row that
  /// is off most.
  var spares: [Int] {
    errors.map { Int((mostError - $0) * RoundedRows.scale * RoundedRows.scale) }
  }
}
