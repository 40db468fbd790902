import CKernels

/// Sums of rows of floats. Each product is rounded before it is added, one after another, so that every
/// processor gives the same numbers.
package enum VectorSums {
  /// Columns of a strip.
  package static let stripWidth = Int(INGOT_STRIP_WIDTH)

  /// Sums of some rows of a strip, for one run of rows after another.
  ///
  /// - Parameters:
  ///   - strip: [rows, `stripWidth`].
  ///   - order: the rows of each run, one run after another.
  ///   - factors: what each of these is multiplied by.
  ///   - starts: where each run begins in `order`, and where all end: `count` + 1 places.
  ///   - sums: gets [count, `stripWidth`].
  @inline(__always)
  package static func strips(
    _ strip: UnsafePointer<Float>, _ order: UnsafePointer<Int32>, _ factors: UnsafePointer<Float>,
    starts: UnsafePointer<Int32>, count: Int, into sums: UnsafeMutablePointer<Float>
  ) {
    unsafe VectorLoops.best.stripSums(
      strip, order, factors, starts: starts, count: count, into: sums)
  }

  /// y += factor · x.
  @inline(__always)
  package static func add(
    _ factor: Float, times x: UnsafePointer<Float>, to y: UnsafeMutablePointer<Float>, count: Int
  ) {
    unsafe VectorLoops.best.add(factor, times: x, to: y, count: count)
  }
}
