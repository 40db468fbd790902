import Foundation

/// Numbers A·z + b for points z of a ball around zero: what a linear layer makes of a normalised row.
struct AffineForm: Equatable {
  /// Of the ball.
  let radius: Double
  /// A = matrix · diag(gains); diag(gains) alone without a matrix.
  let gains: [Double]
  /// [out, in]
  var matrix: WeightReference?
  /// b
  let offsets: [Double]
  /// How far float32 may be from each of the numbers: of terms that cancel each other, rounding stays.
  private(set) var errors: [Double]
  /// Multiplies all of it.
  private(set) var scale = 1.0

  /// Of a normalised row with gain and shift.
  init(radius: Double, gains: [Double], offsets: [Double]) {
    (self.radius, self.gains, self.offsets) = (radius, gains, offsets)
    errors = Array(repeating: 0, count: offsets.count)
  }

  private init(
    radius: Double, gains: [Double], matrix: WeightReference, offsets: [Double], errors: [Double]
  ) {
    (self.radius, self.gains, self.matrix) = (radius, gains, matrix)
    (self.offsets, self.errors) = (offsets, errors)
  }

  /// All of it multiplied by a number. What is too small for its digits is rounded by as much as
  /// the least of all floats.
  func scaled(by factor: Double) -> AffineForm {
    var form = self
    form.scale *= factor
    let error = Double(Float.leastNonzeroMagnitude) / form.scale.magnitude
    form.errors = errors.map { $0 + error }
    return form
  }

  /// What a linear layer makes of it; only of a form without a matrix.
  ///
  /// - Parameters:
  ///   - weights: values of `reference`, [out, in].
  ///   - bias: [out]
  func mapped(by reference: WeightReference, _ weights: [Float], _ bias: [Float]) -> AffineForm {
    let width = offsets.count
    let own = errors.map { $0 * scale.magnitude }
    let limits = offsets.indices.map {
      (radius * gains[$0].magnitude + offsets[$0].magnitude) * scale.magnitude + own[$0]
    }
    var shifted: [Double] = [], errors: [Double] = []
    for row in bias.indices {
      var sum = Double(bias[row]), terms = sum.magnitude, error = Magnitudes.smallest
      for column in 0..<width {
        let weight = Double(weights[row * width + column])
        sum += weight * offsets[column] * scale
        terms += weight.magnitude * limits[column]
        error += weight.magnitude * own[column]
      }
      shifted.append(sum)
      // Half a unit in the last place for each term and each sum, if no sum can be infinite.
      let isFinite = terms < Double(Float.greatestFiniteMagnitude)
      errors.append(isFinite ? terms * Double(width + 1) * 0x1p-23 + error : .infinity)
    }
    return AffineForm(
      radius: radius, gains: gains.map { $0 * scale }, matrix: reference, offsets: shifted,
      errors: errors)
  }

  /// Limits of each of the numbers.
  ///
  /// - Parameter weights: values of `matrix`.
  func limits(_ weights: [Float]) -> [Double] {
    offsets.indices.map { row in
      var squares = 0.0
      for column in gains.indices {
        let factor = Double(weights[row * gains.count + column]) * gains[column]
        squares += factor * factor
      }
      let limit = radius * squares.squareRoot() + offsets[row].magnitude + errors[row]
      return scale.magnitude * limit * Magnitudes.rounding
    }
  }

  /// A bound of the Euclidean length of some of the numbers: radius times the largest singular value
  /// of their rows of A, and the lengths of their parts of b and of the errors.
  ///
  /// - Parameter weights: values of `matrix`.
  func length(_ rows: Range<Int>, _ weights: [Float]?) -> Double {
    let offset = AffineForm.norm(Array(offsets[rows])), error = AffineForm.norm(Array(errors[rows]))
    let stretch =
      weights.map { largestStretch(rows, $0) } ?? gains[rows].map(\.magnitude).max() ?? 0
    return scale.magnitude * (radius * stretch + offset + error) * Magnitudes.rounding
  }

  // The largest singular value is at most the 32nd root of the Frobenius norm of (A·Aᵀ)^16.
  private func largestStretch(_ rows: Range<Int>, _ weights: [Float]) -> Double {
    let count = rows.count, width = gains.count
    var scaled: [Double] = []
    scaled.reserveCapacity(count * width)
    for row in rows {
      for column in 0..<width {
        scaled.append(Double(weights[row * width + column]) * gains[column])
      }
    }
    var power = AffineForm.gram(scaled, count, width)
    var logarithm = 0.0, exponent = 1.0
    for _ in 0..<4 {
      let norm = AffineForm.norm(power)
      guard norm > 0 else { return norm == 0 ? 0 : .infinity }
      logarithm += exponent * log(norm)
      power = AffineForm.gram(power.map { $0 / norm }, count, count)
      exponent /= 2
    }
    logarithm += exponent * log(AffineForm.norm(power))
    return exp(logarithm / 2) * (1 + 1e-6)
  }

  // x · xᵀ for x [count, width]
  private static func gram(_ x: [Double], _ count: Int, _ width: Int) -> [Double] {
    var result = [Double](repeating: 0, count: count * count)
    for row in 0..<count {
      for column in 0...row {
        var sum = 0.0
        for step in 0..<width { sum += x[row * width + step] * x[column * width + step] }
        result[row * count + column] = sum
        result[column * count + row] = sum
      }
    }
    return result
  }

  private static func norm(_ x: [Double]) -> Double {
    x.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }
}
