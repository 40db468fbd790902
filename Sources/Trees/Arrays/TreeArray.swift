/// An array that `model.json` names, whatever file holds it.
package struct TreeArray: Equatable, Sendable {
  /// Sizes of the axes.
  package let shape: [Int]
  /// The elements, the last axis fastest. Whole numbers and truth values (1, 0) too.
  package let values: [Double]

  package init(shape: [Int], values: [Double]) {
    self.shape = shape
    self.values = values
  }

  /// Whether there are as many elements as the shape says.
  var isSound: Bool {
    var count = 1
    for size in shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: size)
      guard size >= 0, !overflow else { return false }
      count = product
    }
    return count == values.count
  }
}
