import Foundation

/// How a table of positions becomes one for another number of patches: cubic convolution along both
/// axes, as torch's `interpolate` does it in mode `bicubic` with `align_corners=False`.
///
/// Source: Keys 1981; torch takes a = −0.75, or −0.5 with antialiasing, as Pillow does.
enum TableResampling: Sendable {
  /// The library refuses other sizes.
  case never
  /// Four neighbours each, those beyond the border being the last row there.
  case cubic
  /// The filter is widened when the table shrinks, and weights are normalised at the borders.
  case smoothCubic

  /// The weights of one axis: [wanted, grid], row-major.
  func weights(from grid: Int, to wanted: Int) -> [Float] {
    (0..<wanted).flatMap { place -> [Float] in
      var row = [Double](repeating: 0, count: grid)
      for (source, weight) in neighbours(of: place, grid, wanted) { row[source] += weight }
      return row.map(Float.init)
    }
  }

  private func neighbours(
    of place: Int, _ grid: Int, _ wanted: Int
  ) -> [(source: Int, weight: Double)] {
    let scale = Double(grid) / Double(wanted)
    switch self {
    case .never: return [(place, 1)]
    case .cubic:
      let center = (Double(place) + 0.5) * scale - 0.5
      let first = Int(center.rounded(.down)) - 1
      return (first..<first + 4).map { source in
        (min(max(source, 0), grid - 1), Self.cubic(Double(source) - center, -0.75))
      }
    case .smoothCubic:
      let widening = max(scale, 1)
      let center = (Double(place) + 0.5) * scale
      let first = max(0, Int(center - 2 * widening + 0.5))
      let end = min(grid, Int(center + 2 * widening + 0.5))
      let raw = (first..<max(first, end)).map {
        ($0, Self.cubic((Double($0) - center + 0.5) / widening, -0.5))
      }
      let sum = raw.reduce(0) { $0 + $1.1 }
      return raw.map { ($0.0, $0.1 / sum) }
    }
  }

  private static func cubic(_ distance: Double, _ a: Double) -> Double {
    let x = abs(distance)
    if x < 1 { return ((a + 2) * x - (a + 3)) * x * x + 1 }
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0
  }
}
