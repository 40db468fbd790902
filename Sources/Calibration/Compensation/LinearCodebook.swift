import WeightCompression

/// Scales and zero points, one of each for every block of rows and group of columns.
final class LinearCodebook: Codebook {
  let floats: FloatType
  /// Groups of columns, each with a scale in every row.
  let parameterCount: Int
  /// The lowest and the highest code.
  let range: ClosedRange<Int>
  /// [blocks, groups]
  private let scales: Matrix
  private let reciprocals: Matrix
  private let zeroPoints: Matrix
  /// The group of each column.
  private let groups: Grid<Int32>

  /// - Parameter groups: the group of each column, 0 ..< `count`.
  init(blocks: Int, groups: [Int32], count: Int, range: ClosedRange<Int>, floats: FloatType) {
    self.floats = floats
    self.range = range
    self.groups = Grid(rows: 1, columns: groups.count, groups)
    parameterCount = count
    scales = Matrix(rows: blocks, columns: count)
    reciprocals = Matrix(rows: blocks, columns: count)
    zeroPoints = Matrix(rows: blocks, columns: count)
  }

  var blocks: Int { scales.rows }
  /// [blocks, groups], row-major.
  var allScales: [Float] { scales.values }
  var allZeroPoints: [Int] { zeroPoints.values.map { Int($0) } }

  /// Sets one scale, which can be stored, and the code of zero.
  func set(scale: Float, zeroPoint: Int, block: Int, group: Int) {
    scales[block, group] = scale
    reciprocals[block, group] = 1 / scale
    zeroPoints[block, group] = Float(zeroPoint)
  }

  /// Codes as bytes: counted from the lowest, so that they are never negative.
  @inline(__always)
  func nearest(_ value: Float, block: Int, column: Int) -> UInt8 {
    let group = Int(groups[0, column])
    let zeroPoint = unsafe zeroPoints.row(block)[group]
    let lowest = Float(range.lowerBound)
    let code = unsafe value * reciprocals.row(block)[group] + zeroPoint
    let limited = max(lowest, min(Float(range.upperBound), code))
    return UInt8(truncatingIfNeeded: Int32(Steps.rounded(limited) - lowest))
  }

  @inline(__always)
  func value(_ code: UInt8, block: Int, column: Int) -> Float {
    let group = Int(groups[0, column])
    return unsafe floats.rounded(
      scales.row(block)[group] * coefficient(code, block: block, column: column))
  }

  @inline(__always)
  func parameter(_ code: UInt8, column: Int) -> Int { Int(groups[0, column]) }

  @inline(__always)
  func coefficient(_ code: UInt8, block: Int, column: Int) -> Float {
    unsafe Float(Int(code) + range.lowerBound) - zeroPoints.row(block)[Int(groups[0, column])]
  }

  func parameters(ofBlock block: Int) -> [Double] {
    (0..<parameterCount).map { Double(scales[block, $0]) }
  }

  func storable(_ parameters: [Double], block: Int) -> [Double] {
    parameters.indices.map { group in
      let wanted = Float(parameters[group])
      // A scale of the other sign would flip all its codes; such a step is not worth taking.
      guard wanted > 0, wanted.isFinite else { return Double(scales[block, group]) }
      let zeroPoint = Int(zeroPoints[block, group])
      let reach = max(range.upperBound - zeroPoint, zeroPoint - range.lowerBound)
      return Double(Steps.storable(wanted, reach: reach, floats))
    }
  }

  func replace(_ parameters: [Double], block: Int) -> [UInt8]? {
    for (group, scale) in parameters.enumerated() {
      scales[block, group] = Float(scale)
      reciprocals[block, group] = 1 / Float(scale)
    }
    return nil
  }
}
