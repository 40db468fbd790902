/// Outputs of some of a file's inputs, for those who need not hold all of them.
package struct OutputBlock: Sendable {
  /// Numbers of the inputs.
  package let rows: [Int]
  /// Numbers of an output.
  package let width: Int
  /// [rows, width], row-major.
  package let values: [Float]

  /// Numbers of outputs, of all inputs that run at once: 64 MiB.
  static let count = 1 << 24

  /// Batches that run together: as many as keep all threads at work, and further ones as long as their
  /// outputs are few.
  ///
  /// - Parameters:
  ///   - width: numbers of an output.
  ///   - jobs: threads.
  ///   - count: numbers of outputs that are few.
  /// - Returns: ranges of the batches, in order.
  static func groups(
    of batches: [Batch], width: Int, jobs: Int, count: Int = count
  ) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var (start, numbers) = (0, 0)
    for (index, batch) in batches.enumerated() {
      let added = batch.rows.count * width
      if index - start >= jobs, numbers + added > count {
        groups.append(start..<index)
        (start, numbers) = (index, 0)
      }
      numbers += added
    }
    if start < batches.count { groups.append(start..<batches.count) }
    return groups
  }

  /// Lends rows with the numbers of their inputs, as many at once as follow one another.
  package func forEachRun(
    _ body: (_ first: Int, _ values: Span<Float>) throws -> Void
  ) rethrows {
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end] == rows[end - 1] + 1 { end += 1 }
      try body(rows[start], values.span.extracting(start * width..<end * width))
      start = end
    }
  }
}
