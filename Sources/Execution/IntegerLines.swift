/// Rows of 16-bit integers, one after the other, for single products.
package struct IntegerLines: Sendable {
  package let width: Int
  /// [rows, width]
  private let values: [Int16]

  /// - Parameter values: [rows, width]. So that no sum of products leaves 32 bits, the sum of squares
  ///   of each row is less than 2³¹.
  package init(_ values: [Int16], width: Int) {
    precondition(width == 0 ? values.isEmpty : values.count.isMultiple(of: width), "part of a row")
    (self.values, self.width) = (values, width)
  }

  package subscript(row: Int) -> ArraySlice<Int16> { values[row * width..<(row + 1) * width] }

  /// The exact product of a row with a row of others.
  package func product(_ row: Int, _ others: IntegerLines, _ other: Int) -> Int32 {
    precondition(width == others.width, "rows of different widths")
    let own = row * width, theirs = other * width
    precondition(
      own + width <= values.count && theirs + width <= others.values.count, "no such row")
    return unsafe values.withUnsafeBufferPointer { left in
      unsafe others.values.withUnsafeBufferPointer { right in
        // Both rows were checked above.
        guard let left = left.baseAddress, let right = right.baseAddress else { return 0 }
        return unsafe VectorLoops.best.integerProduct(left + own, right + theirs, count: width)
      }
    }
  }
}
