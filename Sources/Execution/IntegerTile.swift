/// Products of some rows with some others, in memory that one thread uses again and again.
package struct IntegerTile {
  /// [whole panels of rows, stride]
  private var products: [Int32] = []
  private var places: [Int32] = []
  private var stride = 0

  package init() {}

  /// Multiplies rows; both ranges begin with a panel.
  package mutating func multiply(
    _ rows: IntegerRows, _ range: Range<Int>, by columns: IntegerRows, _ others: Range<Int>
  ) {
    let panel = IntegerRows.panel
    stride = (others.count + panel - 1) / panel * panel
    rows.multiply(range, by: columns, others, into: &products)
  }

  /// The products of a row of the tile, and of zeros that fill up the last panel.
  package func products(ofRow row: Int) -> ArraySlice<Int32> {
    products[row * stride..<(row + 1) * stride]
  }

  /// Calls `body` with the row, the column and the product of each that is above the floor of its row, or
  /// above that of its column, in order.
  ///
  /// - Parameters:
  ///   - rowFloors: one for each row that counts; both are counted within the tile.
  ///   - columnFloors: one for each column of the tile, and of those that fill up the last panel.
  package mutating func forEachLarge(
    above rowFloors: [Int32], or columnFloors: [Int32], _ body: (Int, Int, Int32) -> Void
  ) {
    precondition(
      columnFloors.count == stride && rowFloors.count * stride <= products.count, "no such row")
    if places.count < stride { places = Array(repeating: 0, count: stride) }
    for (row, floor) in rowFloors.enumerated() {
      let start = row * stride
      let found = unsafe products.withUnsafeBufferPointer { products in
        unsafe places.withUnsafeMutableBufferPointer { places in
          // Bounds were checked above; places has room for every column.
          guard let values = products.baseAddress, let places = places.baseAddress
          else { return 0 }
          return unsafe VectorLoops.best.largePlaces(
            values + start, above: floor, or: columnFloors, count: stride, into: places)
        }
      }
      for place in places[..<found] { body(row, Int(place), products[start + Int(place)]) }
    }
  }
}
