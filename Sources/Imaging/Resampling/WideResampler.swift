/// Resamples rows of one 16-bit sample a pixel as they come, as Pillow resamples its mode `I;16`: in
/// floating point, so that sums are taken in its order.
struct WideResampler {
  private let columns: ResamplingTaps
  private var rows: RowPass<Double, UInt16>
  private let order: PassOrder
  /// [resampled rows, resampled pixels].
  private(set) var result: [UInt16]

  /// - Parameter width: of the source, in pixels.
  init(columns: ResamplingTaps, rows: ResamplingTaps, width: Int, order: PassOrder) {
    (self.columns, self.order) = (columns, order)
    result = [UInt16](repeating: 0, count: rows.count * columns.count)
    self.rows = RowPass(
      rows, count: order == .columnsFirst ? width : columns.count,
      RowPass.Arithmetic(
        start: 0,
        add: { row, weight, sums in
          for index in sums.indices { sums[index] += Double(row[index]) * rows.weights[weight] }
        },
        levels: { $0.map(WideResampler.level) }))
  }

  /// Takes source row `y`, [source width] of two bytes, the high one first; rows come in order.
  mutating func add(_ bytes: [UInt8], at y: Int) {
    let row = stride(from: 0, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    let (columns, count, order) = (columns, columns.count, order)
    let first = order == .rowsFirst ? WideResampler.resampled(row, columns) : row
    rows.add(first, at: y) { index, finished in
      result.replaceSubrange(
        index * count..<(index + 1) * count,
        with: order == .rowsFirst ? finished : WideResampler.resampled(finished, columns))
    }
  }

  private static func resampled(_ row: [UInt16], _ columns: ResamplingTaps) -> [UInt16] {
    (0..<columns.count).map { column in
      var sum = 0.0
      for (source, weight) in zip(columns.sources(of: column), columns.offsets[column]...) {
        sum += Double(row[source]) * columns.weights[weight]
      }
      return level(sum)
    }
  }

  /// Pillow clamps each of the two bytes separately: a sum above 65535 keeps the lower byte of its
  /// overflow.
  private static func level(_ sum: Double) -> UInt16 {
    let whole = Int(sum >= 0 ? sum + 0.5 : sum - 0.5)
    return UInt16(max(0, min(255, whole >> 8)) << 8 | max(0, whole % 256))
  }
}
