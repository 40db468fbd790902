/// Means and centred second moments of a layer's inputs and outputs, in Double.
struct LayerMoments: Sendable {
  let inputs: Int
  let outputs: Int
  /// Sum of the rows' weights.
  let weight: Double
  /// [inputs] and [outputs]; zeros if the weights of all rows are 0.
  let inputMeans: [Double]
  let outputMeans: [Double]
  /// Sums measured from `origin`, [inputs + outputs, inputs]; of the inputs' part the lower half.
  private let products: [Double]
  /// Means measured from the origin.
  private let shifts: [Double]

  init(
    inputs: Int, outputs: Int, weight: Double, origin: [Float], sums: [Double],
    products: [Double]
  ) {
    self.inputs = inputs
    self.outputs = outputs
    self.weight = weight
    self.products = products
    shifts = sums.map { weight > 0 ? $0 / weight : 0 }
    let means = zip(shifts, origin).map { $0 + Double($1) }
    inputMeans = weight > 0 ? Array(means[..<inputs]) : Array(repeating: 0, count: inputs)
    outputMeans = weight > 0 ? Array(means[inputs...]) : Array(repeating: 0, count: outputs)
  }

  private init(
    inputs: Int, outputs: Int, weight: Double, inputMeans: [Double], outputMeans: [Double],
    products: [Double], shifts: [Double]
  ) {
    (self.inputs, self.outputs, self.weight) = (inputs, outputs, weight)
    (self.inputMeans, self.outputMeans) = (inputMeans, outputMeans)
    (self.products, self.shifts) = (products, shifts)
  }

  /// Centred second moment of two inputs.
  @inline(__always)
  func covariance(_ i: Int, _ j: Int) -> Double {
    let (row, column) = i >= j ? (i, j) : (j, i)
    guard weight > 0 else { return 0 }
    return products[row * inputs + column] / weight - shifts[row] * shifts[column]
  }

  /// Centred second moment of an input, never negative.
  func variance(_ i: Int) -> Double { max(0, covariance(i, i)) }

  /// Centred second moments of single inputs and some of their squared means.
  func diagonal(meanWeight: Double) -> [Double] {
    (0..<inputs).map { variance($0) + meanWeight * inputMeans[$0] * inputMeans[$0] }
  }

  /// The same in units of their mean; nil if that is 0 or overflows.
  func relativeDiagonal(meanWeight: Double) -> [Float]? {
    let diagonal = diagonal(meanWeight: meanWeight)
    let unit = diagonal.reduce(0, +) / Double(max(inputs, 1))
    return unit > 0 && unit.isFinite ? diagonal.map { Float($0 / unit) } : nil
  }

  /// Centred second moment of an output with an input.
  @inline(__always)
  func crossCovariance(_ output: Int, _ input: Int) -> Double {
    guard weight > 0 else { return 0 }
    return products[(inputs + output) * inputs + input] / weight
      - shifts[inputs + output] * shifts[input]
  }
}

extension LayerMoments {
  /// The same with other outputs, which a layer makes of these: y = W v + b for each row v.
  ///
  /// - Parameters:
  ///   - weights: W, [layer's outputs, outputs].
  ///   - bias: b, [layer's outputs]; nil for zeros.
  func mapped(
    by weights: Matrix, bias: [Float]?, jobs: Int
  ) throws(GPTQError) -> LayerMoments {
    func image(_ values: ArraySlice<Double>) -> [Double] {
      (0..<weights.rows).map { row in
        zip(0..., values).reduce(0) { $0 + Double(weights[row, $1.0]) * $1.1 }
      }
    }
    let movedShifts = image(shifts[inputs...])
    var outputMeans = image(outputMeans[...])
    if let bias {
      for (output, value) in bias.enumerated() { outputMeans[output] += Double(value) }
    }
    return LayerMoments(
      inputs: inputs, outputs: weights.rows, weight: weight, inputMeans: inputMeans,
      outputMeans: outputMeans,
      products: Array(products[..<(inputs * inputs)])
        + (try crossed(by: weights, movedShifts, jobs: jobs)).values,
      shifts: Array(shifts[..<inputs]) + movedShifts)
  }

  /// The sums of products of W v with the inputs, of the moments of v: [layer's outputs, inputs].
  ///
  /// - Parameter movedShifts: of W v.
  private func crossed(
    by weights: Matrix, _ movedShifts: [Double], jobs: Int
  ) throws(GPTQError) -> Grid<Double> {
    // Centred, so that no digits are lost in Float.
    let centred = Matrix(rows: outputs, columns: inputs)
    let all = Pieces.ranges(outputs, size: 64)
    try Pieces.run(all.count, jobs: jobs) { index throws(GPTQError) in
      for output in all[index] {
        let target = unsafe centred.row(output)
        for input in 0..<self.inputs {
          unsafe target[input] = Float(self.crossCovariance(output, input))
        }
      }
    }
    let crossed = Grid<Double>(rows: weights.rows, columns: inputs)
    let pieces = Pieces.ranges(weights.rows, size: 192)
    try Pieces.run(pieces.count, jobs: jobs) { [weight, shifts] index throws(GPTQError) in
      let piece = pieces[index]
      let product = Matrix(rows: piece.count, columns: centred.columns)
      try unsafe Products.multiply(
        Factor(weights, row: piece.lowerBound), Factor(centred), into: product.base,
        rows: piece.count, columns: centred.columns, inner: centred.rows)
      for row in piece {
        let (target, source) = unsafe (crossed.row(row), product.row(row - piece.lowerBound))
        let shift = movedShifts[row]
        for input in 0..<centred.columns {
          unsafe target[input] = weight * (Double(source[input]) + shift * shifts[input])
        }
      }
    }
    return crossed
  }
}
