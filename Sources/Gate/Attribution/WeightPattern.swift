import Inputs
import StrictJSON

/// Typical ways in which a weight is wrong, recognised from its values.
package enum WeightPattern: Equatable, Sendable {
  case scaled(Double)
  case transposed
  /// Lines along an axis are permuted; `row` of the candidate is `source` of the baseline.
  case permuted(axis: Int, row: Int, source: Int)

  /// Relative error below which nothing is looked for.
  static let minError = 0.02

  /// The pattern in which `new` differs from `old`, both of a shape and row-major, if there is one.
  static func found(in new: [Float], from old: [Float], shape: [Int]) -> WeightPattern? {
    let error = WeightAudit.relativeError(of: new, from: old)
    guard error > minError else { return nil }
    if let factor = factor(of: new, from: old), (factor - 1).magnitude > 0.02 {
      let scaled = old.map { Float(Double($0) * factor) }
      // Most of the error must be the factor's; compression leaves a little of its own.
      if WeightAudit.relativeError(of: new, from: scaled) < error / 4 { return .scaled(factor) }
    }
    guard shape.count == 2, error > 0.2 else { return nil }
    let rows = shape[0], columns = shape[1]
    if rows == columns, rows > 1 {
      let turned = transposed(old, rows: rows, columns: columns)
      if WeightAudit.relativeError(of: new, from: turned) < error / 4 { return .transposed }
    }
    let after = Lines(values: new, count: rows, length: columns, step: columns, stride: 1)
    let before = Lines(values: old, count: rows, length: columns, step: columns, stride: 1)
    if let (row, source) = movedLine(after, before) {
      return .permuted(axis: 0, row: row, source: source)
    }
    let afterColumns = Lines(values: new, count: columns, length: rows, step: 1, stride: columns)
    let beforeColumns = Lines(values: old, count: columns, length: rows, step: 1, stride: columns)
    return movedLine(afterColumns, beforeColumns).map { row, source in
      .permuted(axis: 1, row: row, source: source)
    }
  }

  // The factor that brings `old` nearest to `new`.
  private static func factor(of new: [Float], from old: [Float]) -> Double? {
    var product = 0.0, size = 0.0
    for index in old.indices {
      product += Double(old[index]) * Double(new[index])
      size += Double(old[index]) * Double(old[index])
    }
    return size > 0 ? product / size : nil
  }

  private static func transposed(_ values: [Float], rows: Int, columns: Int) -> [Float] {
    var turned = [Float](repeating: 0, count: values.count)
    for row in 0..<rows {
      for column in 0..<columns { turned[column * rows + row] = values[row * columns + column] }
    }
    return turned
  }

  // The first line that moved, if the lines are only permuted: the sorted lengths of all agree, and
  // each of the first moved ones points the way of another.
  private static func movedLine(_ after: Lines, _ before: Lines) -> (row: Int, source: Int)? {
    guard after.count > 1, after.length > 1 else { return nil }
    let newSizes = (0..<after.count).map { after.dot($0, after, $0).squareRoot() }
    let oldSizes = (0..<after.count).map { before.dot($0, before, $0).squareRoot() }
    var error = 0.0, size = 0.0
    for (new, old) in zip(newSizes.sorted(), oldSizes.sorted()) {
      error += (new - old) * (new - old)
      size += old * old
    }
    guard error <= size * 0.0025 else { return nil }
    func cosine(_ new: Int, _ old: Int) -> Double {
      after.dot(new, before, old) / (newSizes[new] * oldSizes[old])
    }
    let moved = (0..<after.count).lazy.filter { newSizes[$0] > 0 && !(cosine($0, $0) > 0.9) }
    let sources = moved.prefix(4).map { row in
      (row: row, source: (0..<after.count).first { $0 != row && cosine(row, $0) > 0.95 })
    }
    guard sources.allSatisfy({ $0.source != nil }) else { return nil }
    return sources.first.flatMap { first in first.source.map { (first.row, $0) } }
  }
}

/// Rows or columns of a matrix, without a copy.
private struct Lines {
  let values: [Float]
  let count: Int
  /// Numbers per line.
  let length: Int
  /// From the start of a line to that of the next, in elements.
  let step: Int
  /// From a number of a line to the next, in elements.
  let stride: Int

  func dot(_ line: Int, _ other: Lines, _ otherLine: Int) -> Double {
    var sum = 0.0
    for index in 0..<length {
      sum +=
        Double(values[line * step + index * stride])
        * Double(other.values[otherLine * other.step + index * other.stride])
    }
    return sum
  }
}
