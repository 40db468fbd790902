/// A row-major matrix product whose every sum is taken in the order of the inner axis, so that it has the
/// same bits on every processor of a kind.
enum PortableProduct {
  /// Columns that are summed together.
  private typealias Strip = SIMD32<Float>

  /// output [rows, columns] = left [rows, inner] · right [inner, columns].
  ///
  /// - Parameter outputStride: floats from one row of the output to the next.
  static func multiply(
    _ left: MatrixProduct.Factor, _ right: MatrixProduct.Factor,
    into output: UnsafeMutablePointer<Float>, rows: Int, columns: Int, inner: Int,
    outputStride: Int
  ) {
    let (rowStep, innerStep) = left.isTransposed ? (1, left.rowStride) : (left.rowStride, 1)
    var strips = [Strip](repeating: .zero, count: inner)
    for first in stride(from: 0, to: columns, by: Strip.scalarCount) {
      let taken = first..<min(first + Strip.scalarCount, columns)
      fill(&strips, from: right, columns: taken)
      for row in 0..<rows {
        var sum = Strip.zero
        for place in 0..<inner {
          unsafe sum += left.base[row * rowStep + place * innerStep] * strips[place]
        }
        for column in taken {
          unsafe output[row * outputStride + column] = sum[column - first]
        }
      }
    }
  }

  /// strips[k] = right[k, columns]; what is behind the last column is of no use.
  private static func fill(
    _ strips: inout [Strip], from right: MatrixProduct.Factor, columns: Range<Int>
  ) {
    let (rowStep, columnStep) = right.isTransposed ? (1, right.rowStride) : (right.rowStride, 1)
    for place in strips.indices {
      for (lane, column) in columns.enumerated() {
        strips[place][lane] = unsafe right.base[place * rowStep + column * columnStep]
      }
    }
  }
}
