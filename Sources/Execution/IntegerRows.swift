import CKernels
import Files

/// Rows of integers, laid out for products of each with each.
package struct IntegerRows: Sendable {
  /// Rows that lie together; products are made of whole panels.
  package static let panel = Int(INGOT_INTEGER_PANEL)
  /// Whether products of 8-bit integers are faster than exact ones of 16 bits.
  package static let hasFastBytes = VectorLoops.best.hasByteProducts
  /// Most integers of 8 bits in a row.
  package static let mostBytes = 1 << 16

  package let count: Int
  /// Elements of a row: pairs of its integers, or fours of 8 bits.
  private let depth: Int
  /// [panels, depth, panel]; two or four integers of a row in each, the first below. Zeros fill up.
  private let values: [UInt32]
  /// What each row of 8-bit integers is multiplied by, [whole panels]; nil of 16-bit ones.
  private let scales: [Float]?

  /// Rows of 16-bit integers; their products are exact.
  ///
  /// - Parameters:
  ///   - jobs: threads.
  ///   - row: gives the integers of a row, as many as rows are wide; called on any thread. So that no
  ///     sum of products leaves 32 bits, the sum of their squares is less than 2³¹.
  package init(count: Int, width: Int, jobs: Int, row: @Sendable (Int) -> [Int16]) {
    self.count = count
    depth = (width + 1) / 2
    scales = nil
    values = IntegerRows.laid(count: count, depth: depth, parts: 2, jobs: jobs) { place in
      let integers = row(place)
      precondition(integers.count == width, "the row does not fit")
      return integers.map { UInt32(UInt16(bitPattern: $0)) }
    }
  }

  /// Rows of 8-bit integers with scales, where `hasFastBytes`. Their products are what the integers
  /// give times both scales, rounded in Float (off by less than a part of 2⁻²¹), without the fraction.
  ///
  /// - Parameters:
  ///   - jobs: threads.
  ///   - scales: one for each row.
  ///   - row: gives the integers of a row, from −127 to 127, as many as rows are wide and at most
  ///     `mostBytes`; called on any thread.
  package init(scales: [Float], width: Int, jobs: Int, row: @Sendable (Int) -> [Int8]) {
    precondition(width <= IntegerRows.mostBytes, "rows of bytes are too wide")
    count = scales.count
    depth = (width + 3) / 4
    let panel = IntegerRows.panel
    let free = (panel - scales.count % panel) % panel
    self.scales = scales + Array(repeating: 0, count: free)
    values = IntegerRows.laid(count: count, depth: depth, parts: 4, jobs: jobs) { place in
      let integers = row(place)
      precondition(integers.count == width, "the row does not fit")
      return integers.map { UInt32(UInt8(bitPattern: $0)) }
    }
  }

  /// - Parameters:
  ///   - parts: integers in an element.
  ///   - row: gives the integers of a row; each fits its part of an element.
  private static func laid(
    count: Int, depth: Int, parts: Int, jobs: Int, row: @Sendable (Int) -> [UInt32]
  ) -> [UInt32] {
    let panel = IntegerRows.panel, bits = UInt32.bitWidth / parts
    let panels = Workers.map((count + panel - 1) / panel, jobs: jobs) { number in
      var values = [UInt32](repeating: 0, count: depth * panel)
      for place in 0..<min(panel, count - number * panel) {
        var (element, shift) = (place, 0)
        for integer in row(number * panel + place) {
          values[element] |= integer << shift
          shift += bits
          if shift == UInt32.bitWidth { (element, shift) = (element + panel, 0) }
        }
      }
      return values
    }
    var values: [UInt32] = []
    values.reserveCapacity(panels.count * depth * panel)
    for panel in panels { values += panel }
    return values
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
  func multiply(
    _ rows: Range<Int>, by columns: IntegerRows, _ others: Range<Int>,
    into products: inout [Int32]
  ) {
    precondition(
      depth == columns.depth && (scales == nil) == (columns.scales == nil),
      "rows of different widths")
    let own = panels(of: rows), theirs = columns.panels(of: others)
    let panel = IntegerRows.panel, size = depth * panel
    let needed = own.count * theirs.count * panel * panel
    if products.count < needed { products = Array(repeating: 0, count: needed) }
    unsafe values.withUnsafeBytes { left in
      unsafe columns.values.withUnsafeBytes { right in
        unsafe products.withUnsafeMutableBufferPointer { output in
          // The ranges were checked against the rows that there are, and the output has their room.
          guard let left = unsafe left.assumingMemoryBound(to: Int32.self).baseAddress,
            let right = unsafe right.assumingMemoryBound(to: Int32.self).baseAddress,
            let output = output.baseAddress
          else { return }
          let rows = unsafe left + own.lowerBound * size
          let others = unsafe right + theirs.lowerBound * size
          guard let scales, let otherScales = columns.scales else {
            return unsafe VectorLoops.best.integerProducts(
              rows, others, into: output, rowPanels: own.count, columnPanels: theirs.count,
              pairs: depth)
          }
          unsafe VectorLoops.best.byteProducts(
            rows, others, scales: Array(scales[own.lowerBound * panel..<own.upperBound * panel]),
            Array(otherScales[theirs.lowerBound * panel..<theirs.upperBound * panel]),
            into: output, rowPanels: own.count, columnPanels: theirs.count, quads: depth)
        }
      }
    }
  }
}
