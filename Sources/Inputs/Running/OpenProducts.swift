/// How much farther from cosines products of 8-bit rows may be than those of rounded rows.
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

  /// The product of rounded rows that allows as large a cosine as one of 8 bits does: up to `margin`
  /// more.
  func bound(_ product: Int32, _ row: Int, _ other: Int) -> Int32 {
    Int32(clamping: Int(product) + max(0, rows[row] - spares[other]))
  }

  /// Floors for products of 8 bits that pass over what floors for those of rounded rows do, of places
  /// from `start` on; `max` stays.
  static func lowered(_ floors: [Int32], by doubts: [Int], from start: Int) -> [Int32] {
    floors.enumerated().map { place, floor in
      floor == .max ? floor : Int32(clamping: Int(floor) - doubts[start + place])
    }
  }
}
