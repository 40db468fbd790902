import Execution
import Files

/// Rows and others as tiles multiply them: in 16 bits, or first in 8 where that is faster.
struct TilePanels: Sendable {
  let rows: IntegerRows
  let others: IntegerRows
  /// What products of 8 bits leave open; nil where a tile has those of rounded rows.
  let open: OpenProducts?

  /// Rows that say how much products of 8 bits leave open.
  private static let samples = 16
  /// Of so many products they may leave one open, which is made once more by itself. That takes as long
  /// as ten in a tile, and several times as many are open before the nearest are found.
  private static let openOnce = 128

  /// - Parameters:
  ///   - others: nil where rows are looked for among themselves.
  ///   - rule: of products of rounded rows.
  init(
    _ vectors: Vectors, _ rows: RoundedRows, among others: RoundedRows?, _ rule: NearestList.Rule,
    jobs: Int
  ) {
    if let bytes = ByteRows(vectors, rows, jobs: jobs),
      let otherBytes = others.map({ ByteRows(vectors, $0, jobs: jobs) }) ?? bytes
    {
      let open = OpenProducts(bytes, otherBytes, beside: rule.margin)
      if TilePanels.areFewOpen(rows, others ?? rows, open, rule, jobs: jobs) {
        (self.rows, self.others, self.open) = (bytes.panels, otherBytes.panels, open)
        return
      }
    }
    self.rows = rows.panels(jobs: jobs)
    self.others = others?.panels(jobs: jobs) ?? self.rows
    open = nil
  }

  /// Floors for products of a tile, of some rows from `start` on.
  func floors(_ floors: [Int32], ofRows start: Int) -> [Int32] {
    open.map { OpenProducts.lowered(floors, by: $0.rows, from: start) } ?? floors
  }

  /// The same of others; `max` stays what it is.
  func floors(_ floors: [Int32], ofOthers start: Int) -> [Int32] {
    open.map { OpenProducts.lowered(floors, by: $0.others, from: start) } ?? floors
  }

  /// Whether products of 8 bits would leave few open, by those of some rows in 16 bits.
  private static func areFewOpen(
    _ rows: RoundedRows, _ others: RoundedRows, _ open: OpenProducts, _ rule: NearestList.Rule,
    jobs: Int
  ) -> Bool {
    let count = min(samples, rows.numbers.count)
    let counts = Workers.map(count, jobs: jobs) { sample in
      let row = sample * rows.numbers.count / count
      let places = others.numbers.indices.filter { others.numbers[$0] != rows.numbers[row] }
      let products = places.map { rows.lines.product(row, others.lines, $0) }
      let floor = rule.floor(below: products)
      return zip(places, products).count { open.bound($1, row, $0) > floor }
    }
    return counts.reduce(0, +) * openOnce <= count * others.numbers.count
  }
}
