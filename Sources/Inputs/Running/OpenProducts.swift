/// How much larger than the products of 8-bit rows those of rounded rows may be.
struct OpenProducts: Sendable {
  /// For each row the most with any of the others, and for each of the others with any row.
  let rows: [Int]
  let others: [Int]
  /// For each of the others, how much less it is with that one.
  private let spares: [Int]

  /// - Parameter margin: how far a product of rounded rows may be from the cosine.
  init(_ rows: ByteRows, _ others: ByteRows, beside margin: Int) {
    self.rows = rows.doubts(by: others, beside: margin)
    self.others = others.doubts(by: rows, beside: margin)
    spares = others.spares
  }

  /// The most that the product of rounded rows may be.
  func most(_ product: Int32, _ row: Int, _ other: Int) -> Int32 {
    Int32(clamping: Int(product) + max(0, rows[row] - spares[other]))
  }

  /// Floors for products that may be that much less, of places from `start` on; `max` stays.
  static func lowered(_ floors: [Int32], by doubts: [Int], from start: Int) -> [Int32] {
    floors.enumerated().map { place, floor in
      floor == .max ? floor : Int32(clamping: Int(floor) - doubts[start + place])
    }
  }
}
