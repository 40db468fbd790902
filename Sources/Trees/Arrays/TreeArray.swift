/// An array that `model.json` names, whatever file holds it.
///
/// Its elements are read when they are asked for, so that a shape which cannot be right costs nothing: a small
/// archive may hold any number of them.
package struct TreeArray: Sendable {
  /// Sizes of the axes.
  package let shape: [Int]
  private let read: @Sendable () throws -> [Double]

  /// - Parameter read: the elements, the last axis fastest. Whole numbers and truth values (1, 0) too.
  package init(shape: [Int], reading read: @escaping @Sendable () throws -> [Double]) {
    (self.shape, self.read) = (shape, read)
  }

  /// An array whose elements are there.
  package init(shape: [Int], values: [Double]) {
    self.init(shape: shape) { values }
  }

  /// The number of elements by the shape; nil for one that is none.
  var elementCount: Int? {
    var count = 1
    for size in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: size)
      guard size >= 0, !overflow else { return nil }
      count = product
    }
    return count
  }

  /// The elements.
  package func elements() throws -> [Double] { try read() }
}
