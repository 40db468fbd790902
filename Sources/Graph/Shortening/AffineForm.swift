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
  var offsets: [Double]
  /// Multiplies all of it.
  var scale = 1.0

  /// What a linear layer makes of it; only of a form without a matrix.
  ///
  /// - Parameters:
  ///   - weights: values of `reference`, [out, in].
  ///   - bias: [out]
  func mapped(by reference: WeightReference, _ weights: [Float], _ bias: [Float]) -> AffineForm {
    var shifted: [Double] = []
    for row in bias.indices {
      var sum = Double(bias[row])
      for column in offsets.indices {
        sum += Double(weights[row * offsets.count + column]) * offsets[column] * scale
      }
      shifted.append(sum)
    }
    return AffineForm(
      radius: radius, gains: gains.map { $0 * scale }, matrix: reference, offsets: shifted)
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
      return scale.magnitude * (radius * squares.squareRoot() + offsets[row].magnitude)
        * Magnitudes.rounding
    }
  }

  /// A bound of the Euclidean length of some of the numbers: radius times the largest singular value
  /// of their rows of A, and the length of their part of b.
  ///
  /// - Parameter weights: values of `matrix`.
  func length(_ rows: Range<Int>, _ weights: [Float]?) -> Double {
    var squares = 0.0
    for row in rows { squares += offsets[row] * offsets[row] }
    let stretch =
      weights.map { largestStretch(rows, $0) } ?? gains[rows].map(\.magnitude).max() ?? 0
    return scale.magnitude * (radius * stretch + squares.squareRoot()) * Magnitudes.rounding
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
      guard norm > 0 else { return 0 }
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
