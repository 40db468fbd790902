import WeightCompression

/// Tables of 2^bits ascending floats, one for each block of rows.
///
/// Threads share it: each writes only the tables of its own rows, and the step changes between passes
/// only.
final class PaletteCodebook: Codebook, @unchecked Sendable {
  let bits: Int
  let floats: FloatType
  let parameterCount: Int
  /// [blocks, 2^bits]
  private let entries: Matrix
  /// The middle between each entry and the next [blocks, 2^bits].
  private let bounds: Matrix
  /// Entries are multiples of this where they are stored as integers.
  private(set) var step: Float?

  init(blocks: Int, bits: Int, floats: FloatType) {
    self.bits = bits
    self.floats = floats
    parameterCount = 1 << bits
    entries = Matrix(rows: blocks, columns: parameterCount)
    bounds = Matrix(rows: blocks, columns: parameterCount)
  }

  var blocks: Int { entries.rows }
  /// Tables one after another.
  var tables: [Float] { entries.values }

  @inline(__always)
  func nearest(_ value: Float, block: Int, column: Int) -> UInt8 {
    let bounds = unsafe bounds.row(block)
    var base = 0
    var half = parameterCount &>> 1
    while half > 0 {
      unsafe base &+= bounds[base &+ half &- 1] <= value ? half : 0
      half &>>= 1
    }
    return UInt8(truncatingIfNeeded: base)
  }

  @inline(__always)
  func nearest(_ value: Float, last code: UInt8, block: Int, column: Int) -> UInt8 {
    let bounds = unsafe bounds.row(block)
    let place = Int(code)
    if unsafe place == 0 || bounds[place &- 1] <= value,
      unsafe place == parameterCount &- 1 || value < bounds[place]
    {
      return code
    }
    return nearest(value, block: block, column: column)
  }

  @inline(__always)
  func value(_ code: UInt8, block: Int, column: Int) -> Float {
    unsafe entries.row(block)[Int(code)]
  }

  @inline(__always)
  func parameter(_ code: UInt8, column: Int) -> Int { Int(code) }

  @inline(__always)
  func coefficient(_ code: UInt8, block: Int, column: Int) -> Float { 1 }

  func parameters(ofBlock block: Int) -> [Double] {
    (0..<parameterCount).map { Double(entries[block, $0]) }
  }

  func storable(_ parameters: [Double], block: Int) -> [Double] {
    parameters.map { Double(stored(Float($0))) }
  }

  private func stored(_ value: Float) -> Float {
    let limited = max(-floats.greatest, min(floats.greatest, value))
    guard let step else { return floats.rounded(limited) + 0 }
    let code = max(-127, min(127, (limited / step).rounded(.toNearestOrEven)))
    return floats.rounded(step * code) + 0
  }

  func replace(_ parameters: [Double], block: Int) -> [UInt8]? {
    let order = parameters.indices.sorted { (parameters[$0], $0) < (parameters[$1], $1) }
    for (place, old) in order.enumerated() { entries[block, place] = Float(parameters[old]) }
    for place in 0..<parameterCount - 1 {
      bounds[block, place] = entries[block, place] / 2 + entries[block, place + 1] / 2
    }
    guard order != Array(parameters.indices) else { return nil }
    var places = [UInt8](repeating: 0, count: parameterCount)
    for (place, old) in order.enumerated() { places[old] = UInt8(place) }
    return places
  }

  /// Makes every entry a multiple of one step for all tables, −127 … 127 times.
  func storeAsIntegers() {
    let largest = tables.reduce(0) { max($0, $1.magnitude) }
    step = Steps.storable(largest / 127, reach: 127, floats)
    for block in 0..<blocks {
      _ = replace(storable(parameters(ofBlock: block), block: block), block: block)
    }
  }
}
