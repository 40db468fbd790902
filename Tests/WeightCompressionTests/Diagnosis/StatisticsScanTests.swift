import TestSupport
import Testing

@testable import WeightCompression

/// Values that come piece by piece give what all of them at once give, to the last digit.
struct StatisticsScanTests {
  typealias Layout = TensorStatisticsTests.Layout

  private static func scan(_ values: [Float], _ layout: Layout, by size: Int) -> TensorStatistics {
    var scan = StatisticsScan(
      elementCount: values.count, shape: layout.shape, axes: layout.axes)
    for start in stride(from: 0, to: values.count, by: size) {
      let piece = Array(values[start..<min(start + size, values.count)])
      scan.add(piece.span)
    }
    return scan.finish()
  }

  private func expectSame(
    _ found: TensorStatistics, _ whole: TensorStatistics, _ comment: Comment
  ) {
    #expect(found.elementCount == whole.elementCount, comment)
    #expect(found.nonFinite == whole.nonFinite, comment)
    #expect(found.large == whole.large, comment)
    #expect(found.channels == whole.channels, comment)
    #expect(found.deadInputs == whole.deadInputs, comment)
    #expect(found.inputCount == whole.inputCount, comment)
    #expect(found.mask == whole.mask, comment)
    #expect(found.distinctValues == whole.distinctValues, comment)
    #expect(found.areWhole == whole.areWhole, comment)
    #expect(found.hash == whole.hash, comment)
    #expect(found.moments == whole.moments, comment)
    #expect(found.peak == whole.peak, comment)
    #expect([found.minimum, found.maximum] == [whole.minimum, whole.maximum], comment)
    #expect(
      [found.zeros, found.vanishing, found.subnormal]
        == [whole.zeros, whole.vanishing, whole.subnormal], comment)
  }

  @Test(arguments: TensorStatisticsTests.layouts)
  func piecesGiveTheWhole(_ layout: Layout) {
    var random = SeededGenerator(seed: 7)
    let count = layout.shape.reduce(1, *)
    let sound = Samples.heavyTailed.values(count, &random)
    var zeros = sound
    for index in zeros.indices where index / 7 % 3 == 1 { zeros[index] = 0 }
    var damaged = sound
    damaged[count / 2] = .nan
    damaged[count - 1] = -.infinity
    damaged[count / 3] = 1e6
    for values in [sound, zeros, damaged, [Float](repeating: 3, count: count)] {
      let whole = TensorStatistics(values, shape: layout.shape, axes: layout.axes)
      for size in [8, 16, 24, 4096, 4104] {
        expectSame(Self.scan(values, layout, by: size), whole, "pieces of \(size)")
      }
    }
  }

  @Test(arguments: [-Float.infinity, -1e9, 0], [2, 4, 17])
  func masks(_ hidden: Float, _ side: Int) {
    let causal = (0..<side * side).map { index -> Float in
      index % side > index / side ? hidden : hidden == 0 ? 1 : 0
    }
    for change in [0, 1, causal.count - 1] {
      var values = causal
      if change > 0 { values[change] = change % 2 == 0 ? hidden : 0.5 }
      let layout = Layout(shape: [side, side], axes: nil)
      let whole = TensorStatistics(values, shape: layout.shape)
      for size in [8, 16] {
        expectSame(Self.scan(values, layout, by: size), whole, "\(change), pieces of \(size)")
      }
    }
  }

  /// What a scan takes follows from the number of channels and inputs at most where these lie apart.
  @Test func bytes() {
    func bytes(_ shape: [Int], _ axes: (Int, Int)?) -> Int {
      StatisticsScan.byteCount(
        elementCount: shape.reduce(1, *), shape: shape,
        axes: axes.map { (channels: $0.0, inputs: $0.1) })
    }
    #expect(bytes([1 << 40], nil) == 0)
    #expect(bytes([1 << 36, 4], (0, 1)) == 16)
    #expect(bytes([1 << 30, 1 << 10], (0, 1)) == 4096)
    #expect(bytes([4, 1 << 36], (1, 0)) >= 8 << 36)
    #expect(bytes([0, 1 << 36], (1, 0)) == 0)
  }
}
