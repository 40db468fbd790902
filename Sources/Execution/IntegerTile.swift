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

  /// Calls `body` with the column and the product of each in a row that is above a floor, or above the
  /// floor of its column, in order.
  ///
  /// - Parameters:
  ///   - row: counted within the tile.
  ///   - floors: one for each column of the tile, and of those that fill up the last panel.
  package mutating func forEachLarge(
    inRow row: Int, above floor: Int32, or floors: [Int32], _ body: (Int, Int32) -> Void
  ) {
    let start = row * stride
    precondition(floors.count == stride && start + stride <= products.count, "no such row")
    if places.count < stride { places = Array(repeating: 0, count: stride) }
    let found = unsafe products.withUnsafeBufferPointer { products in
      unsafe places.withUnsafeMutableBufferPointer { places in
        // Bounds were checked above; places has room for every column.
        guard let values = products.baseAddress, let places = places.baseAddress
        else { return 0 }
        return unsafe VectorLoops.best.largePlaces(
          values + start, above: floor, or: floors, count: stride, into: places)
      }
    }
    for place in places[..<found] { body(Int(place), products[start + Int(place)]) }
  }
}
