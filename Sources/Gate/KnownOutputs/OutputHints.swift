import Inputs

/// Guesses the fault in scores or numbers of a model by comparing them with the right ones.
enum OutputHints {
  /// The first that holds; nil if none does.
  ///
  /// - Parameter exactly: as `line` takes it.
  static func likeliest(
    ours: OutputMatrix, given right: OutputMatrix, exactly: Bool = false
  ) -> OutputHint? {
    activation(ours: ours, given: right) ?? otherColumn(ours: ours, given: right)
      ?? line(ours: ours, given: right, exactly: exactly)
  }

  /// Whether outputs are outside 0...1 and the right ones are not.
  static func areOutside(_ ours: OutputMatrix, _ right: OutputMatrix) -> Bool {
    right.values.allSatisfy { (0...1).contains($0) }
      && ours.values.contains { !(-0.001...1.001).contains($0) }
  }

  /// Logits where probabilities are right.
  static func activation(ours: OutputMatrix, given right: OutputMatrix) -> OutputHint? {
    guard areOutside(ours, right) else { return nil }
    return .activation(missing: ours.width == 1 ? .sigmoid : .softmax)
  }

  /// Probabilities of another label than is meant.
  static func otherColumn(ours: OutputMatrix, given right: OutputMatrix) -> OutputHint? {
    func column(_ matrix: OutputMatrix, _ number: Int) -> [Double] {
      (0..<matrix.rowCount).map { Double(matrix.values[$0 * matrix.width + number]) }
    }
    func areAlike(_ left: [Double], _ right: [Double]) -> Bool {
      zip(left, right).allSatisfy { ($0 - $1).magnitude <= KnownOutputs.tolerance }
    }
    if ours.width == 1 {
      let own = column(ours, 0)
      guard areAlike(own.map { 1 - $0 }, column(right, 0)) else { return nil }
      return .otherLabel
    }
    guard ours.width <= 64 else { return nil }
    for number in 0..<ours.width {
      let wanted = column(right, number)
      guard !areAlike(column(ours, number), wanted),
        let other = (0..<ours.width).first(where: { areAlike(column(ours, $0), wanted) })
      else { continue }
      return .otherColumn(number, model: other)
    }
    return nil
  }

  /// Numbers that are the right ones but for scale and offset.
  ///
  /// - Parameter exactly: whether every row must be on the line, as outputs of the model itself
  ///   are; measured values scatter about it.
  static func line(
    ours: OutputMatrix, given right: OutputMatrix, exactly: Bool = false
  ) -> OutputHint? {
    for column in 0..<ours.width {
      let fit = LineFit(ours: ours, right: right, column: column)
      guard let fit, fit.isExact || !exactly && fit.explainsMore else { continue }
      return .line(fit.line)
    }
    return nil
  }
}

/// The straight line by which a column of outputs comes nearest to the right ones (least squares).
struct LineFit {
  let slope: Double
  let offset: Double
  /// Sums of squares of what is left: with the line, with the outputs as they are, and with the mean
  /// of the right ones in their place.
  let left: Double
  let leftAsIs: Double
  let leftOfMean: Double
  /// Largest distance from the line, relative to the range of the right ones.
  private let worst: Double
  private let count: Int
  /// Sum of squares of the outputs around their mean.
  private let spreadOfOurs: Double

  /// Nil if there are fewer than three rows, or the outputs are all alike.
  init?(ours: OutputMatrix, right: OutputMatrix, column: Int) {
    let x = (0..<ours.rowCount).map { Double(ours.values[$0 * ours.width + column]) }
    let y = (0..<ours.rowCount).map { Double(right.values[$0 * ours.width + column]) }
    guard x.count > 2 else { return nil }
    let (xMean, yMean) = (Statistics.mean(x), Statistics.mean(y))
    let squares = x.reduce(0) { $0 + ($1 - xMean) * ($1 - xMean) }
    leftOfMean = y.reduce(0) { $0 + ($1 - yMean) * ($1 - yMean) }
    guard squares > 0, squares.isFinite else { return nil }
    spreadOfOurs = squares
    let product = zip(x, y).reduce(0) { $0 + ($1.0 - xMean) * ($1.1 - yMean) }
    let slope = product / squares, offset = yMean - product / squares * xMean
    let distances = zip(x, y).map { $1 - (slope * $0 + offset) }
    (self.slope, self.offset, count) = (slope, offset, x.count)
    left = distances.reduce(0) { $0 + $1 * $1 }
    leftAsIs = zip(x, y).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let range = DriftUnit.range(right, column: column)
    worst = range > 0 ? Statistics.max(distances.map(\.magnitude)) / range : .infinity
  }

  /// Whether all right ones are on the line, and it is not `y = x`.
  var isExact: Bool { worst <= KnownOutputs.closeTolerance && leftAsIs > 4 * left && slope > 0 }

  /// Whether the residuals of the outputs as they are come mostly from a wrong scale or offset.
  var explainsMore: Bool {
    count >= KnownOutputs.fewestOutcomes && slope > 0 && leftAsIs > 4 * left
      && left < leftOfMean / 4
  }

  /// Whether the slope is three times too small or too large, and surely so: one is more than three
  /// standard errors away from it.
  var isOfAnotherScale: Bool {
    guard count >= KnownOutputs.fewestOutcomes, slope > 0, !(1.0 / 3...3 ~= slope) else {
      return false
    }
    let error = (left / Double(count - 2) / spreadOfOurs).squareRoot()
    return (slope - 1).magnitude > 3 * error
  }

  /// The line, with its offset where that is more than a thousandth of their spread.
  var line: FittedLine {
    let spread = (leftOfMean / Double(count)).squareRoot()
    return FittedLine(
      slope: slope, offset: offset.magnitude > spread / 1000 ? offset : nil, isExact: isExact)
  }
}
