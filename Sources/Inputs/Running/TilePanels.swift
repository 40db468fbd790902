import Execution
import Files

/// Rows and others as tiles multiply them: in 16 bits, or first in 8 where that is faster.
struct TilePanels: Sendable {
  let rows: IntegerRows
  let others: IntegerRows
  /// For each of both, how much farther from the cosine a product of a tile may be than one of rounded
  /// rows; nil where it is the same.
  let doubts: (rows: [Int], others: [Int])?

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
      let doubts = (
        rows: bytes.doubts(by: otherBytes, beside: rule.margin),
        others: otherBytes.doubts(by: bytes, beside: rule.margin)
      )
      if TilePanels.areFewOpen(rows, others ?? rows, doubts.rows, rule) {
        (self.rows, self.others, self.doubts) = (bytes.panels, otherBytes.panels, doubts)
        return
      }
    }
    self.rows = rows.panels(jobs: jobs)
    self.others = others?.panels(jobs: jobs) ?? self.rows
    doubts = nil
  }

  /// Whether products of 8 bits would leave few open, by those of some rows in 16 bits.
  private static func areFewOpen(
    _ rows: RoundedRows, _ others: RoundedRows, _ doubts: [Int], _ rule: NearestList.Rule
  ) -> Bool {
    let count = min(samples, rows.numbers.count)
    var open = 0
    for sample in 0..<count {
      let row = sample * rows.numbers.count / count
      let products = others.numbers.indices.filter { others.numbers[$0] != rows.numbers[row] }
        .map { rows.lines.product(row, others.lines, $0) }
      let floor = Int(rule.floor(below: products)) - doubts[row]
      open += products.count { $0 > floor }
    }
    return open * openOnce <= count * others.numbers.count
  }
}
