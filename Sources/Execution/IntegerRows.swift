import CKernels
import Files

/// Rows of 16-bit integers, laid out for exact products of each with each.
package struct IntegerRows: Sendable {
  /// Rows that lie together; products are made of whole panels.
  package static let panel = Int(INGOT_INTEGER_PANEL)

  package let count: Int
  /// Half the integers of a row, rounded up.
  private let pairs: Int
  /// [panels, pairs, panel]; two integers of a row in each, the first below. Zeros fill up.
  private let values: [UInt32]

  /// - Parameters:
  ///   - jobs: threads.
  ///   - row: gives the integers of a row, as many as rows are wide; called on any thread. So that no
  ///     sum of products leaves 32 bits, the sum of their squares is less than 2³¹.
  package init(count: Int, width: Int, jobs: Int, row: @Sendable (Int) -> [Int16]) {
    self.count = count
    let (panel, pairs) = (IntegerRows.panel, (width + 1) / 2)
    self.pairs = pairs
    let panels = Workers.map((count + panel - 1) / panel, jobs: jobs) { number in
      var values = [UInt32](repeating: 0, count: pairs * panel)
      for place in 0..<min(panel, count - number * panel) {
        let integers = row(number * panel + place)
        precondition(integers.count == width, "the row does not fit")
        for (column, integer) in integers.enumerated() {
          values[column / 2 * panel + place] |=
            UInt32(UInt16(bitPattern: integer)) << (column % 2 == 0 ? 0 : 16)
        }
      }
      return values
    }
    values = Array(panels.joined())
  }

  /// Panels that hold some rows; the first row begins a panel.
  private func panels(of rows: Range<Int>) -> Range<Int> {
    precondition(
      rows.lowerBound.isMultiple(of: IntegerRows.panel) && rows.upperBound <= count,
      "rows begin within a panel")
    let end = (rows.upperBound + IntegerRows.panel - 1) / IntegerRows.panel
    return rows.lowerBound / IntegerRows.panel..<end
  }

  /// products [whole panels of `rows`, whole panels of `columns`], of the latter each in its place.
  fileprivate func multiply(
    _ rows: Range<Int>, by columns: IntegerRows, _ others: Range<Int>,
    into products: inout [Int32]
  ) {
    precondition(pairs == columns.pairs, "rows of different widths")
    let own = panels(of: rows), theirs = columns.panels(of: others)
    let size = pairs * IntegerRows.panel
    let needed = own.count * theirs.count * IntegerRows.panel * IntegerRows.panel
    if products.count < needed { products = Array(repeating: 0, count: needed) }
    unsafe values.withUnsafeBytes { left in
      unsafe columns.values.withUnsafeBytes { right in
        unsafe products.withUnsafeMutableBufferPointer { output in
          // The ranges were checked against the rows that there are, and the output has their room.
          guard let left = unsafe left.assumingMemoryBound(to: Int32.self).baseAddress,
            let right = unsafe right.assumingMemoryBound(to: Int32.self).baseAddress,
            let output = output.baseAddress
          else { return }
          unsafe VectorLoops.best.integerProducts(
            left + own.lowerBound * size, right + theirs.lowerBound * size, into: output,
            rowPanels: own.count, columnPanels: theirs.count, pairs: pairs)
        }
      }
    }
  }
}

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
