import Graph

/// Inputs that run together, by their numbers, and the length they are padded to.
struct Batch: Equatable, Sendable {
  let rows: [Int]
  let length: Int
}

/// Puts inputs of similar length together, so that padding costs little.
enum Batching {
  /// Most inputs of one batch.
  static let maxRows = 32
  /// Most tokens of one batch, padding included (one input alone may have more): about as many
  /// as keep the activations of a small encoder inside one core's cache.
  static let maxTokens = 1024
  /// Tokens from which a batch is large enough to run efficiently.
  static let enoughTokens = 512

  /// The batches for inputs of these lengths, longest first.
  ///
  /// Sorted by length, then by number, so the plan depends on nothing but the lengths. A batch that
  /// holds enough tokens ends before an input that is shorter than seven eighths of its first.
  static func plan(lengths: [Int]) -> [Batch] {
    let order = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    var batches: [Batch] = []
    var rows: [Int] = []
    for row in order {
      if let first = rows.first {
        let length = lengths[first]
        let isFull = rows.count == maxRows || (rows.count + 1) * length > maxTokens
        let isUnlike = lengths[row] * 8 < length * 7 && rows.count * length >= enoughTokens
        if isFull || isUnlike {
          batches.append(Batch(rows: rows, length: length))
          rows = []
        }
      }
      rows.append(row)
    }
    if let first = rows.first { batches.append(Batch(rows: rows, length: lengths[first])) }
    return batches
  }

  /// Batches for inputs of these lengths in graphs of these shapes only.
  static func plan(lengths: [Int], shapes: GraphShapes) -> [Batch] {
    guard case .single(let allowed) = shapes else { return plan(lengths: lengths) }
    let order = lengths.indices.sorted { (lengths[$1], $0) < (lengths[$0], $1) }
    return order.map { row in
      let length = allowed.first { $0 >= lengths[row] } ?? allowed.last ?? lengths[row]
      return Batch(rows: [row], length: length)
    }
  }

  /// Batches for inputs that have no length.
  static func plan(count: Int, rows: Int) -> [Batch] {
    stride(from: 0, to: count, by: rows).map {
      Batch(rows: Array($0..<min($0 + rows, count)), length: 1)
    }
  }
}
