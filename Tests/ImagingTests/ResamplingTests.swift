import TestSupport
import Testing

@testable import Imaging

/// Weights and passes by themselves; whole images are compared with Pillow's in the interop tests.
struct ResamplingTests {
  struct Weight: CustomTestStringConvertible, Sendable {
    let filter: ResamplingFilter
    let distance: Double
    let weight: Double
    var testDescription: String { "\(filter) at \(distance)" }
  }

  @Test(arguments: [
    Weight(filter: .bilinear, distance: 0, weight: 1),
    Weight(filter: .bilinear, distance: -0.25, weight: 0.75),
    Weight(filter: .bilinear, distance: 1, weight: 0),
    Weight(filter: .bicubic, distance: 0, weight: 1),
    Weight(filter: .bicubic, distance: 0.5, weight: 0.5625),
    Weight(filter: .bicubic, distance: -1.5, weight: -0.0625),
    Weight(filter: .bicubic, distance: 1, weight: 0),
    Weight(filter: .bicubic, distance: 2, weight: 0),
    Weight(filter: .lanczos, distance: 0, weight: 1),
    Weight(filter: .lanczos, distance: 1.5, weight: -4 / (3 * .pi * .pi)),
    Weight(filter: .lanczos, distance: 3, weight: 0),
  ])
  func weight(_ each: Weight) {
    #expect(abs(each.filter.weight(at: each.distance) - each.weight) < 1e-15)
  }

  @Test(arguments: ResamplingFilter.allCases)
  func weightsAddUpToOne(_ filter: ResamplingFilter) {
    for (source, resized) in [(1, 1), (1, 9), (7, 3), (3, 7), (100, 1), (1000, 999), (64, 64)] {
      let taps = ResamplingTaps(
        source: source, resized: resized, window: 0..<resized, filter: filter)
      #expect(taps.count == resized)
      for index in 0..<taps.count {
        let sources = taps.sources(of: index)
        #expect(sources.lowerBound >= 0 && sources.upperBound <= source && !sources.isEmpty)
        let sum = taps.weights[taps.offsets[index]..<taps.offsets[index + 1]].reduce(0, +)
        #expect(abs(sum - 1) < 1e-12, "\(source) to \(resized), \(index)")
      }
    }
  }

  /// A window gives the weights that the whole has there.
  @Test func windowIsPartOfTheWhole() {
    let whole = ResamplingTaps(source: 91, resized: 33, window: 0..<33, filter: .bicubic)
    let part = ResamplingTaps(source: 91, resized: 33, window: 5..<20, filter: .bicubic)
    for index in 0..<part.count {
      #expect(part.sources(of: index) == whole.sources(of: index + 5))
      #expect(
        part.weights[part.offsets[index]..<part.offsets[index + 1]]
          == whole.weights[whole.offsets[index + 5]..<whole.offsets[index + 6]])
    }
  }

  @Test(arguments: ResamplingFilter.allCases)
  func sameSizeChangesNothing(_ filter: ResamplingFilter) {
    let taps = ResamplingTaps(source: 40, resized: 40, window: 0..<40, filter: filter)
    for index in 0..<taps.count {
      let weights = taps.fixedWeights[taps.offsets[index]..<taps.offsets[index + 1]]
      #expect(weights.filter { $0 != 0 } == [1 << 22])
      #expect(taps.sources(of: index).contains(index))
    }
  }

  @Test func nearest() {
    func places(_ source: Int, _ resized: Int) -> [Int] {
      ResamplingTaps(nearestOf: source, resized: resized, window: 0..<resized).starts
    }
    #expect(places(4, 4) == [0, 1, 2, 3])
    #expect(places(6, 3) == [1, 3, 5])
    #expect(places(5, 2) == [1, 3])
    #expect(places(2, 5) == [0, 0, 1, 1, 1])
  }

  struct Order: CustomTestStringConvertible, Sendable {
    let source: [Int]
    let resized: [Int]
    let order: PassOrder
    var testDescription: String { "\(source) to \(resized)" }
  }

  /// Found by resizing with Pillow 13 in one and in two steps.
  @Test(arguments: [
    Order(source: [1000, 2000], resized: [500, 1000], order: .rowsFirst),
    Order(source: [1000, 2001], resized: [500, 1000], order: .columnsFirst),
    Order(source: [5, 700], resized: [56, 56], order: .columnsFirst),
    Order(source: [33, 45], resized: [56, 56], order: .rowsFirst),
    Order(source: [100, 100], resized: [200, 110], order: .rowsFirst),
    Order(source: [100, 100], resized: [200, 99], order: .columnsFirst),
    Order(source: [60, 100], resized: [20, 20], order: .rowsFirst),
    Order(source: [4032, 3024], resized: [298, 224], order: .rowsFirst),
    Order(source: [3024, 4032], resized: [224, 298], order: .rowsFirst),
  ])
  func order(_ each: Order) {
    #expect(
      PassOrder(
        width: each.source[0], height: each.source[1],
        resized: (each.resized[0], each.resized[1])) == each.order)
  }

  /// Rows as they come give what a plain loop over the whole image gives, in either order.
  @Test(arguments: [PassOrder.rowsFirst, .columnsFirst])
  func rowsAsTheyCome(_ order: PassOrder) {
    var random = SeededGenerator(seed: 11)
    for round in 0..<60 {
      let size = (0..<4).map { _ in Int.random(in: 1...23, using: &random) }
      let channels = [1, 2, 3, 4][round % 4]
      let filter = ResamplingFilter.allCases[round % 3]
      let window = (0..<size[3]).clamped(to: round % 5..<40)
      let columns = ResamplingTaps(
        source: size[0], resized: size[2], window: 0..<size[2], filter: filter)
      let rows = ResamplingTaps(source: size[1], resized: size[3], window: window, filter: filter)
      let image = (0..<size[1]).map { _ in
        (0..<size[0] * channels).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
      var resampler = Resampler(
        columns: columns, rows: rows, channels: channels, width: size[0], order: order)
      for (y, row) in image.enumerated() { resampler.add(row, at: y) }
      let expected = plain(image, columns, rows, channels, order)
      #expect(resampler.result == expected.flatMap { $0 }, "round \(round), \(size)")
    }
  }

  private func plain(
    _ image: [[UInt8]], _ columns: ResamplingTaps, _ rows: ResamplingTaps, _ channels: Int,
    _ order: PassOrder
  ) -> [[UInt8]] {
    let along = { (image: [[UInt8]]) in
      image.map { row in
        (0..<columns.count * channels).map { place in
          sum(columns, place / channels) { row[$0 * channels + place % channels] }
        }
      }
    }
    let down = { (image: [[UInt8]]) in
      (0..<rows.count).map { y in
        image[0].indices.map { x in sum(rows, y) { image[$0][x] } }
      }
    }
    return order == .rowsFirst ? down(along(image)) : along(down(image))
  }

  private func sum(_ taps: ResamplingTaps, _ index: Int, _ level: (Int) -> UInt8) -> UInt8 {
    var sum = 1 << 21
    for (source, weight) in zip(taps.sources(of: index), taps.offsets[index]...) {
      sum += Int(level(source)) * Int(taps.fixedWeights[weight])
    }
    return UInt8(clamping: sum >> 22)
  }
}
