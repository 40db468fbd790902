/// Resamples rows of numbers that were scaled before, bit for bit as torchvision resamples tensors
/// of float32: along the rows, then down the columns, nothing rounded between them.
///
/// Source: ATen's `UpSampleKernel.cpp` (`cpu_upsample_linear_aa`), torch 2.13 on a processor with FMA.
/// Its loops over taps are compiled to groups of four, whose products are rounded before they are
/// added, and to single ones behind them, whose products are not.
struct ScaledResampler {
  private let columns: ScaledTaps
  private let channels: Int
  private var rows: RowPass<Float, Float>
  /// [resampled rows, resampled pixels, channels].
  private(set) var result: [Float]

  init(columns: ScaledTaps, rows: ScaledTaps, channels: Int) {
    (self.columns, self.channels) = (columns, channels)
    let count = columns.taps.count * channels
    result = [Float](repeating: 0, count: rows.taps.count * count)
    self.rows = RowPass(
      rows.taps, count: count,
      RowPass.Arithmetic(
        start: 0,
        add: { row, tap, sums in
          let (weight, isRounded) = (rows.weights[tap], rows.isRounded[tap])
          for index in sums.indices {
            sums[index] = ScaledTaps.sum(sums[index], row[index], weight, isRounded)
          }
        },
        levels: { $0 }))
  }

  /// Takes source row `y`, [source width, channels]; rows come in order from 0.
  mutating func add(_ source: [Float], at y: Int) {
    let count = columns.taps.count * channels
    rows.add(resampled(source), at: y) {
      result.replaceSubrange($0 * count..<($0 + 1) * count, with: $1)
    }
  }

  private func resampled(_ source: [Float]) -> [Float] {
    var row = [Float](repeating: 0, count: columns.taps.count * channels)
    for column in 0..<columns.taps.count {
      let (start, offset) = (columns.taps.starts[column], columns.taps.offsets[column])
      for tap in offset..<columns.taps.offsets[column + 1] {
        let (weight, isRounded) = (columns.weights[tap], columns.isRounded[tap])
        let place = (start + tap - offset) * channels
        for channel in 0..<channels {
          row[column * channels + channel] = ScaledTaps.sum(
            row[column * channels + channel], source[place + channel], weight, isRounded)
        }
      }
    }
    return row
  }
}

/// The source pixels and weights that make up each resized pixel, in torchvision's arithmetic.
struct ScaledTaps {
  let taps: ResamplingTaps
  let weights: [Float]
  /// By tap: whether its product is rounded before it is added.
  let isRounded: [Bool]

  /// Antialiased bilinear weights.
  init(source: Int, resized: Int) {
    taps = ResamplingTaps(scaled: source, resized: resized)
    weights = taps.weights.map { Float($0) }
    isRounded = taps.starts.indices.flatMap { [taps] index in
      let count = taps.offsets[index + 1] - taps.offsets[index]
      // The first product starts the sum.
      return (0..<count).map { $0 <= (count - 1) / 4 * 4 }
    }
  }

  @inline(__always)
  static func sum(_ sum: Float, _ number: Float, _ weight: Float, _ isRounded: Bool) -> Float {
    isRounded ? sum + number * weight : sum.addingProduct(number, weight)
  }
}
