import Graph
import ModelFixtures
import TestSupport
import Testing

@testable import Gate

extension Float {
  var roundedToBFloat16: Float {
    Float(bitPattern: (bitPattern &+ 0x8000) & 0xFFFF_0000)
  }
}

/// Compression as simple as it can be said.
enum TinySchemes {
  /// Whole numbers from −`maximum` to `maximum` with a scale for each run of so many values.
  static func integers(_ values: [Float], _ maximum: Float, _ run: Int) -> [Float] {
    stride(from: 0, to: values.count, by: run).flatMap { start -> [Float] in
      let part = values[start..<start + run]
      let scale = (part.map(\.magnitude).max() ?? 0) / maximum
      return part.map { scale == 0 ? 0 : ($0 / scale).rounded() * scale }
    }
  }

  /// So many values that lie as the numbers do, moved to the middle of what is nearest to each
  /// (Lloyd 1982).
  static func palette(_ values: [Float], _ count: Int) -> [Float] {
    let sorted = values.sorted()
    var levels = (0..<count).map { sorted[(2 * $0 + 1) * sorted.count / (2 * count)] }
    for _ in 0..<20 {
      var sums = [Float](repeating: 0, count: count), sizes = sums
      for value in values {
        let place = nearest(value, levels)
        sums[place] += value
        sizes[place] += 1
      }
      for place in 0..<count where sizes[place] > 0 { levels[place] = sums[place] / sizes[place] }
    }
    return values.map { levels[nearest($0, levels)] }
  }

  private static func nearest(_ value: Float, _ levels: [Float]) -> Int {
    levels.indices.min {
      (levels[$0] - value).magnitude < (levels[$1] - value).magnitude
    } ?? 0
  }
}

extension SeededGenerator {
  /// Numbers of mean 0 and variance 1, nearly normal: sums of twelve.
  mutating func normal(_ count: Int) -> [Float] {
    (0..<count).map { _ in
      (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0..<1, using: &self) }
    }
  }
}
