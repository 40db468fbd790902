/// Rows or columns of a weight.
struct WeightLines {
  let axis: Int
  let count: Int
  /// Numbers per line.
  let length: Int
  /// From the start of a line to that of the next, in elements.
  private let step: Int
  /// From a number of a line to the next, in elements.
  private let stride: Int

  /// Rows, and columns of a matrix; none of a vector.
  static func all(of shape: [Int]) -> [WeightLines] {
    guard shape.count > 1, let rows = shape.first, rows > 0 else { return [] }
    let columns = shape.dropFirst().reduce(1, *)
    let alongRows = WeightLines(axis: 0, count: rows, length: columns, step: columns, stride: 1)
    guard shape.count == 2 else { return [alongRows] }
    return [
      alongRows, WeightLines(axis: 1, count: columns, length: rows, step: 1, stride: columns),
    ]
  }

  /// The places of a line's numbers.
  func places(_ line: Int) -> StrideTo<Int> {
    let first = line * step
    return Swift.stride(from: first, to: first + length * stride, by: stride)
  }

  /// Σ aᵢ bᵢ of a line of `a` and another of `b`.
  func dot(_ a: [Float], _ line: Int, _ b: [Float], _ other: Int) -> Double {
    var sum = 0.0
    var first = line * step, second = other * step
    for _ in 0..<length {
      sum += Double(a[first]) * Double(b[second])
      first += stride
      second += stride
    }
    return sum
  }
}

/// Lines of a weight that are at other places than the baseline's.
enum MovedLines {
  /// Cosine from which a line is still its own.
  private static let own = 0.9
  /// Cosine from which a line is another one.
  private static let another = 0.95
  /// Moved lines whose source is looked for.
  private static let tried = 4

  /// The pattern of moved lines, if the lines are only in another order.
  static func found(in new: [Float], from old: [Float], shape: [Int]) -> WeightPattern? {
    if shape.count == 1 { return shuffledNumbers(new, old) }
    for lines in WeightLines.all(of: shape) where lines.count > 1 && lines.length > 1 {
      if let pattern = moved(lines, new, old) { return pattern }
    }
    return nil
  }

  // The sorted lengths of all lines agree, and each of the first moved ones points the way of another.
  private static func moved(
    _ lines: WeightLines, _ new: [Float], _ old: [Float]
  ) -> WeightPattern? {
    let newSizes = (0..<lines.count).map { lines.dot(new, $0, new, $0).squareRoot() }
    let oldSizes = (0..<lines.count).map { lines.dot(old, $0, old, $0).squareRoot() }
    guard agree(newSizes, oldSizes, within: 0.05) else { return nil }
    func cosine(_ line: Int, _ other: Int) -> Double {
      lines.dot(new, line, old, other) / (newSizes[line] * oldSizes[other])
    }
    let moved = (0..<lines.count).filter { newSizes[$0] > 0 && !(cosine($0, $0) > own) }
    let sources = moved.prefix(tried).map { line in
      (0..<lines.count).first { $0 != line && cosine(line, $0) > another }
    }
    guard let row = moved.first, sources.allSatisfy({ $0 != nil }), let source = sources[0] else {
      return nil
    }
    return 2 * moved.count > lines.count
      ? .shuffled(axis: lines.axis, row: row, source: source)
      : .permuted(axis: lines.axis, row: row, source: source)
  }

  // Numbers of a vector are told apart by their values alone, so these must agree almost exactly.
  private static func shuffledNumbers(_ new: [Float], _ old: [Float]) -> WeightPattern? {
    guard new.count >= 8, agree(new.map(Double.init), old.map(Double.init), within: 0.005) else {
      return nil
    }
    let moved = old.indices.filter { new[$0] != old[$0] }
    guard let row = moved.first,
      let source = old.indices.min(by: {
        (old[$0] - new[row]).magnitude < (old[$1] - new[row]).magnitude
      }), source != row
    else { return nil }
    return 2 * moved.count > old.count
      ? .shuffled(axis: 0, row: row, source: source) : .permuted(axis: 0, row: row, source: source)
  }

  private static func agree(_ new: [Double], _ old: [Double], within share: Double) -> Bool {
    var error = 0.0, size = 0.0
    for (one, other) in zip(new.sorted(), old.sorted()) {
      error += (one - other) * (one - other)
      size += other * other
    }
    return error <= size * share * share
  }
}
