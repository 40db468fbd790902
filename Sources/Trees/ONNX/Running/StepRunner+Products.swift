import StrictJSON

extension StepRunner {
  /// Numbers that are multiplied before they are added to the sum so far, as ONNX Runtime's kernels do.
  private static let blockLength = 128

  /// The sums of products of rows of x and columns of y, [rows, columns].
  ///
  /// - Parameters:
  ///   - depth: numbers of a row, and of a column.
  ///   - start: what each sum is added to.
  private static func sums<Number: BinaryFloatingPoint>(
    _ rows: Int, _ depth: Int, _ columns: Int, start: [Number], x: (Int, Int) -> Number,
    y: (Int, Int) -> Number
  ) -> [Number] {
    var sums = start
    for row in 0..<rows {
      for column in 0..<columns {
        for block in stride(from: 0, to: depth, by: blockLength) {
          var sum: Number = 0
          for place in block..<min(block + blockLength, depth) {
            sum.addProduct(x(row, place), y(place, column))
          }
          sums[row * columns + column] += sum
        }
      }
    }
    return sums
  }

  /// A product of matrices; a vector is a row on the left and a column on the right.
  func product(_ x: TabularColumn, _ y: TabularColumn) throws(TreeError) -> TabularColumn {
    guard (1...2).contains(x.shape.count), (1...2).contains(y.shape.count) else {
      throw fault("multiplies the shapes \(x.shape) and \(y.shape), expected two axes each")
    }
    let (rows, depth) = (x.shape.count == 2 ? x.shape[0] : 1, x.width)
    let columns = y.shape.count == 2 ? y.shape[1] : 1
    guard y.shape[0] == depth else {
      throw fault("the shapes \(x.shape) and \(y.shape) do not go together")
    }
    let shape = (x.shape.count == 2 ? [rows] : []) + (y.shape.count == 2 ? [columns] : [])
    return TabularColumn(
      try products(x, y, rows, depth, columns, left: (depth, 1), right: (columns, 1)), shape)
  }

  /// - Parameter left, right: how far elements of a row and of a column are apart.
  private func products(
    _ x: TabularColumn, _ y: TabularColumn, _ rows: Int, _ depth: Int, _ columns: Int,
    left: (Int, Int), right: (Int, Int)
  ) throws(TreeError) -> TabularColumn.Elements {
    let count = try count(of: [rows, columns])
    let (work, overflows) = count.multipliedReportingOverflow(by: depth)
    guard !overflows, work <= TabularGraph.workLimit else {
      throw fault("multiplies more than \(TabularGraph.workLimit) numbers for a row")
    }
    switch (x.elements, y.elements) {
    case (.floats(let one), .floats(let two)):
      return .floats(
        StepRunner.sums(
          rows, depth, columns, start: [Float](repeating: 0, count: count),
          x: { one[$0 * left.0 + $1 * left.1] }, y: { two[$0 * right.0 + $1 * right.1] }))
    case (.doubles(let one), .doubles(let two)):
      return .doubles(
        StepRunner.sums(
          rows, depth, columns, start: [Double](repeating: 0, count: count),
          x: { one[$0 * left.0 + $1 * left.1] }, y: { two[$0 * right.0 + $1 * right.1] }))
    default: throw fault("multiplies \(x.type) and \(y.type), expected floats or doubles")
    }
  }

  func run(_ affine: TabularAffine, _ inputs: [TabularColumn?]) throws(TreeError) -> TabularColumn {
    let (x, y) = (try needed(inputs[0], "first input"), try needed(inputs[1], "second input"))
    guard x.shape.count == 2, y.shape.count == 2 else {
      throw fault("multiplies the shapes \(x.shape) and \(y.shape), expected two axes each")
    }
    let (rows, depth) = affine.transposesLeft ? (x.shape[1], x.shape[0]) : (x.shape[0], x.shape[1])
    let (other, columns) =
      affine.transposesRight ? (y.shape[1], y.shape[0]) : (y.shape[0], y.shape[1])
    guard depth == other else {
      throw fault("the shapes \(x.shape) and \(y.shape) do not go together")
    }
    let products = TabularColumn(
      try products(
        x, y, rows, depth, columns, left: affine.transposesLeft ? (1, rows) : (depth, 1),
        right: affine.transposesRight ? (1, depth) : (columns, 1)), [rows, columns])
    var sum = affine.alpha == 1 ? products : try scaled(products, affine.alpha)
    guard inputs.count > 2, let offset = inputs[2] else { return sum }
    sum = try run(.add, sum, affine.beta == 1 ? offset : try scaled(offset, affine.beta))
    guard sum.shape == [rows, columns] else {
      throw fault("adds the shape \(offset.shape) to \([rows, columns])")
    }
    return sum
  }

  private func scaled(_ x: TabularColumn, _ factor: Float) throws(TreeError) -> TabularColumn {
    switch x.elements {
    case .doubles: try run(.multiply, x, TabularColumn(.doubles([Double(factor)]), []))
    default: try run(.multiply, x, TabularColumn(.floats([factor]), []))
    }
  }

  /// In 32 bits, whatever the input is.
  func run(_ linear: TabularLinear, _ x: TabularColumn) throws(TreeError) -> [TabularColumn] {
    guard case .floats(let row) = try cast(x, .float).elements,
      row.count * linear.intercepts.count == linear.coefficients.count
    else {
      throw fault(
        "is given the shape \(x.shape), has \(Figures.count(linear.coefficients.count, "coefficient"))"
      )
    }
    let count = linear.intercepts.count
    let scores = StepRunner.sums(
      1, row.count, count, start: linear.intercepts, x: { row[$1] },
      y: { linear.coefficients[$1 * row.count + $0] })
    guard let labels = linear.labels else {
      return [TabularColumn(.floats(try transformed(scores, linear.transform)), [1, count])]
    }
    guard count > 1 else {
      let label = labels.column(scores[0] > 0 ? 1 : 0)
      let both = StepRunner.bothClasses(scores[0], linear.transform)
      return [label, TabularColumn(.floats(both), [1, 2])]
    }
    var best = 0
    for place in scores.indices where scores[place] > scores[best] { best = place }
    return [
      labels.column(best),
      TabularColumn(.floats(try transformed(scores, linear.transform)), [1, count]),
    ]
  }

  /// The scores of two classes of that of the second.
  private static func bothClasses(_ score: Float, _ transform: LeafTransform) -> [Float] {
    transform == .logistic
      ? [logistic(-score), logistic(score)] : [1 - score, score]
  }

  func transformed(_ scores: [Float], _ transform: LeafTransform) throws(TreeError) -> [Float] {
    switch transform {
    case .none: scores
    case .logistic: scores.map(StepRunner.logistic)
    case .softmax: StepRunner.softmax(scores)
    case .softmaxZero: StepRunner.softmaxZero(scores)
    }
  }
}
