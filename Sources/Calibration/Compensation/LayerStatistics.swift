/// Weighted first and second moments of a layer's inputs, as the compressed layers before leave them,
/// and of the outputs wanted of it.
///
/// Rows are gathered and summed a block at a time, the products in Float, their sums in Double,
/// measured from the mean of the first block that has weight. The result depends neither on how
/// rows were cut into batches nor on the number of threads.
package struct LayerStatistics: Sendable {
  package let inputs: Int
  package let outputs: Int
  /// Rows added.
  package private(set) var rowCount = 0
  private let jobs: Int
  /// Rows summed at a time.
  private let blockRows: Int

  /// Rows [waiting, inputs + outputs] that were not summed yet, and their weights.
  private var waiting: [Float] = []
  private var waitingWeights: [Float] = []
  /// The origin that rows are measured from.
  private var origin: [Float] = []
  private var weight = 0.0
  /// Σ w (v − origin).
  private var sums: [Double]
  /// Σ w (v − origin)(x − origin)ᵀ [inputs + outputs, inputs]; of the inputs' part only the tiles
  /// on and below the diagonal.
  private var products: [Double]

  /// Rows summed at a time where nothing else is asked for.
  static let usualBlockRows = 1024
  /// Rows and columns of a product computed at a time.
  private static let tile = 256

  /// - Parameters:
  ///   - blockRows: rows that wait to be summed together.
  ///   - jobs: threads to sum on.
  package init(inputs: Int, outputs: Int, blockRows: Int? = nil, jobs: Int = 1) {
    self.blockRows = blockRows ?? LayerStatistics.usualBlockRows
    self.inputs = inputs
    self.outputs = outputs
    self.jobs = max(1, jobs)
    sums = Array(repeating: 0, count: inputs + outputs)
    products = Array(repeating: 0, count: (inputs + outputs) * inputs)
  }

  private var width: Int { inputs + outputs }

  /// Adds rows.
  ///
  /// - Parameters:
  ///   - inputs: [rows, inputs], row-major.
  ///   - targets: outputs wanted, bias included, [rows, outputs].
  ///   - rowWeights: one for each row, not negative.
  /// - Throws: `GPTQError` if a number is not finite, a weight is negative, or there are
  ///   more or fewer numbers than the rows need.
  package mutating func add(
    inputs values: UnsafeBufferPointer<Float>, targets: UnsafeBufferPointer<Float>,
    rowWeights: [Float]
  ) throws(GPTQError) {
    let rows = rowWeights.count
    try unsafe check(values, .inputs, rows, inputs)
    try unsafe check(targets, .outputs, rows, outputs)
    if let row = rowWeights.firstIndex(where: { !($0 >= 0 && $0.isFinite) }) {
      throw .rowWeight(row: row)
    }
    for row in 0..<rows {
      unsafe waiting.append(contentsOf: values[row * inputs..<(row + 1) * inputs])
      unsafe waiting.append(contentsOf: targets[row * outputs..<(row + 1) * outputs])
      waitingWeights.append(rowWeights[row])
      rowCount += 1
      if waitingWeights.count == blockRows { try flush() }
    }
  }

  private func check(
    _ values: UnsafeBufferPointer<Float>, _ part: GPTQError.Part, _ rows: Int,
    _ columns: Int
  ) throws(GPTQError) {
    guard values.count == rows * columns else {
      throw .count(part, found: values.count, needed: rows * columns)
    }
    var largest: UInt32 = 0
    for i in values.indices { largest = unsafe max(largest, values[i].bitPattern & 0x7fff_ffff) }
    guard largest >= Float.infinity.bitPattern else { return }
    let place = unsafe values.firstIndex { !$0.isFinite } ?? 0
    throw .notFinite(part, row: place / columns, column: place % columns)
  }

  /// The moments of all rows so far.
  ///
  /// - Throws: `GPTQError.overflow`, and errors of matrix products.
  func moments() throws(GPTQError) -> LayerMoments {
    var all = self
    try all.flush()
    guard all.sums.allSatisfy(\.isFinite), all.products.allSatisfy(\.isFinite) else {
      throw .overflow
    }
    return LayerMoments(
      inputs: inputs, outputs: outputs, weight: all.weight, origin: all.origin, sums: all.sums,
      products: all.products)
  }

  /// Sums the rows that wait.
  private mutating func flush() throws(GPTQError) {
    let rows = waitingWeights.count
    guard rows > 0 else { return }
    if weight == 0 { origin = meanOfWaiting() }
    let scaled = try scaledRows()
    for row in 0..<rows { weight += Double(waitingWeights[row]) }
    try addProducts(scaled)
    waiting.removeAll(keepingCapacity: true)
    waitingWeights.removeAll(keepingCapacity: true)
  }

  /// The weighted mean of the waiting rows; zeros if all their weights are 0.
  private func meanOfWaiting() -> [Float] {
    var sums = [Double](repeating: 0, count: width)
    var total = 0.0
    for (row, weight) in waitingWeights.enumerated() where weight > 0 {
      let weight = Double(weight)
      total += weight
      for i in 0..<width { sums[i] += weight * Double(waiting[row * width + i]) }
    }
    return sums.map { total > 0 ? Float($0 / total) : 0 }
  }

  /// √w (v − origin) for each row that waits; adds w (v − origin) to the sums.
  private mutating func scaledRows() throws(GPTQError) -> Matrix {
    let width = width
    let matrix = Matrix(rows: waitingWeights.count, columns: width)
    let roots = waitingWeights.map { $0.squareRoot() }
    let pieces = Pieces.ranges(width, size: Self.tile)
    let (waiting, origin) = (waiting, origin)
    try unsafe sums.withUnsafeMutableBufferPointer { sums throws(GPTQError) in
      guard let base = sums.baseAddress else { return }
      let shared = unsafe SharedPointer(base: base)
      try Pieces.run(pieces.count, jobs: jobs) { index throws(GPTQError) in
        for (row, root) in roots.enumerated() {
          let target = unsafe matrix.row(row)
          unsafe waiting.withUnsafeBufferPointer { waiting in
            for i in pieces[index] {
              let scaled = unsafe root * (waiting[row * width + i] - origin[i])
              unsafe target[i] = scaled
              unsafe shared.base[i] += Double(root) * Double(scaled)
            }
          }
        }
      }
    }
    return matrix
  }

  private mutating func addProducts(_ rows: Matrix) throws(GPTQError) {
    let (inputs, tile) = (inputs, Self.tile)
    let columns = Pieces.ranges(inputs, size: tile)
    var tiles: [(Range<Int>, Range<Int>)] = []
    for (index, row) in columns.enumerated() {
      tiles += columns[...index].map { (row, $0) }
    }
    for row in Pieces.ranges(outputs, size: tile) {
      tiles += columns.map { (row.lowerBound + inputs..<row.upperBound + inputs, $0) }
    }
    let all = tiles
    try unsafe products.withUnsafeMutableBufferPointer { sums throws(GPTQError) in
      guard let base = sums.baseAddress else { return }
      let shared = unsafe SharedPointer(base: base)
      try Pieces.run(all.count, jobs: jobs) { index throws(GPTQError) in
        try unsafe rows.addProduct(all[index].0, all[index].1, to: shared.base, columns: inputs)
      }
    }
  }
}

extension Matrix {
  /// Adds a tile of the product of all rows with themselves to sums in Double, `columns` in a row.
  func addProduct(
    _ left: Range<Int>, _ right: Range<Int>, to sums: UnsafeMutablePointer<Double>, columns: Int
  ) throws(GPTQError) {
    let product = Matrix(rows: left.count, columns: right.count)
    try unsafe Products.multiply(
      Factor(self, column: left.lowerBound, isTransposed: true),
      Factor(self, column: right.lowerBound), into: product.base, rows: left.count,
      columns: right.count, inner: rows)
    for i in 0..<left.count {
      let target = unsafe sums + (left.lowerBound + i) * columns + right.lowerBound
      let source = unsafe product.row(i)
      for j in 0..<right.count { unsafe target[j] += Double(source[j]) }
    }
  }
}

/// Memory that several threads write different parts of.
@safe private struct SharedPointer: @unchecked Sendable {
  let base: UnsafeMutablePointer<Double>
}
