/// The NaN and infinities of a tensor.
package struct NonFiniteValues: Hashable, Sendable {
  package private(set) var nan = 0
  package private(set) var infinities = 0
  /// Those of the infinities that are negative.
  package private(set) var negativeInfinities = 0
  /// Flat, row-major places of the first of each kind.
  package private(set) var firstNaN: Int?
  package private(set) var firstInfinity: Int?

  package var count: Int { nan + infinities }

  /// Records the values that are not finite; `values` begin at index `start`.
  ///
  /// - Returns: the finite ones.
  mutating func sort(_ values: UnsafeBufferPointer<Float>, from start: Int) -> [Float] {
    var finite: [Float] = []
    for index in values.indices {
      let value = unsafe values[index]
      if value.isFinite {
        finite.append(value)
      } else if value.isNaN {
        nan += 1
        firstNaN = firstNaN ?? start + index
      } else {
        infinities += 1
        negativeInfinities += value < 0 ? 1 : 0
        firstInfinity = firstInfinity ?? start + index
      }
    }
    return finite
  }
}
