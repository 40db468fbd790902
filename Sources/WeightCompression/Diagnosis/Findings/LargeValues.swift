/// The finite values of a tensor that float16 cannot hold.
package struct LargeValues: Hashable, Sendable {
  package private(set) var count = 0
  /// The first of the greatest magnitude, and its flat, row-major place.
  package private(set) var largest: Float = 0
  package private(set) var index = 0

  /// Takes the values that begin at index `start`.
  mutating func add(_ values: UnsafeBufferPointer<Float>, from start: Int) {
    for index in values.indices {
      let value = unsafe values[index]
      guard value.magnitude >= Float16Limits.overflow, value.isFinite else { continue }
      count += 1
      guard value.magnitude > largest.magnitude else { continue }
      largest = value
      self.index = start + index
    }
  }
}
