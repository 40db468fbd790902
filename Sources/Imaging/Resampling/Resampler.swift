/// Resamples rows of 8-bit samples as they come, bit for bit as Pillow resamples whole images: one
/// pass along the rows, one down the columns, levels rounded to 8 bits between them.
struct Resampler {
  private let columns: ColumnPass
  private var rows: RowPass<Int32, UInt8>
  private let order: PassOrder
  /// One row after the pass along it.
  private var row: [UInt8]
  /// [resampled rows, resampled pixels, channels].
  private(set) var result: [UInt8]

  /// - Parameter width: of the source, in pixels.
  init(
    columns: ResamplingTaps, rows: ResamplingTaps, channels: Int, width: Int, order: PassOrder
  ) {
    self.columns = ColumnPass(columns, channels: channels)
    self.order = order
    row = [UInt8](repeating: 0, count: self.columns.count)
    result = [UInt8](repeating: 0, count: rows.count * row.count)
    self.rows = RowPass(rows, count: order == .columnsFirst ? width * channels : row.count)
  }

  /// Takes source row `y`, [source width, channels]; rows come in order from 0.
  mutating func add(_ source: [UInt8], at y: Int) {
    let count = row.count
    switch order {
    case .rowsFirst:
      columns.resample(source, into: &row)
      rows.add(row, at: y) { result.replaceSubrange($0 * count..<($0 + 1) * count, with: $1) }
    case .columnsFirst:
      rows.add(source, at: y) { index, finished in
        columns.resample(finished, into: &row)
        result.replaceSubrange(index * count..<(index + 1) * count, with: row)
      }
    }
  }
}
