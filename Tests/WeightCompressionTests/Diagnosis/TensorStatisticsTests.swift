import TestSupport
import Testing

@testable import WeightCompression

struct TensorStatisticsTests {
  struct Layout: CustomTestStringConvertible {
    let shape: [Int]
    var axes: (channels: Int, inputs: Int)? = (0, 1)
    var testDescription: String { "\(shape) \(axes.map { "\($0)" } ?? "")" }
  }

  static let layouts = [
    Layout(shape: [40, 96]), Layout(shape: [96, 40], axes: (1, 0)), Layout(shape: [7, 5]),
    Layout(shape: [5, 7], axes: (1, 0)), Layout(shape: [12, 3, 4, 4]),
    Layout(shape: [4, 12, 3, 2], axes: (1, 0)), Layout(shape: [3, 20, 17], axes: (1, 0)),
    Layout(shape: [2, 9000]), Layout(shape: [1, 33]), Layout(shape: [33, 1]),
    Layout(shape: [9001], axes: nil), Layout(shape: [3, 5000], axes: (1, 0)),
    Layout(shape: [2, 3, 1, 4, 5, 6], axes: (1, 0)),
  ]

  /// As many channels as a shape can claim, all without a value.
  @Test(arguments: [[Int(Int32.max), 0], [0, Int(Int32.max)], [0, Int.max]])
  func channelsWithoutValuesCostNothing(_ shape: [Int]) {
    for axes in [(channels: 0, inputs: 1), (channels: 1, inputs: 0)] {
      let statistics = TensorStatistics([], shape: shape, axes: axes)
      #expect(statistics.elementCount == 0)
      #expect(statistics.channels == nil && statistics.deadInputs == nil)
    }
  }

  /// The channel of a flat index.
  private static func place(_ index: Int, _ shape: [Int], _ axis: Int) -> Int {
    index / shape[(axis + 1)...].reduce(1, *) % shape[axis]
  }

  private static func channels(_ values: [Float], _ shape: [Int], _ axis: Int) -> [[Float]] {
    var channels = [[Float]](repeating: [], count: shape[axis])
    for (index, value) in values.enumerated() {
      channels[place(index, shape, axis)].append(value)
    }
    return channels
  }

  private static func peak(_ values: [Float]) -> Double {
    let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
    let squares = values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) }
    let farthest = values.map { (Double($0) - mean).magnitude }.max() ?? 0
    return farthest / (squares / Double(values.count)).squareRoot()
  }

  @Test(arguments: layouts)
  func whatIsFoundIsThere(_ layout: Layout) throws {
    var random = SeededGenerator(seed: UInt64(layout.shape.count))
    let count = layout.shape.reduce(1, *)
    var values = Samples.heavyTailed.values(count, &random)
    if let axes = layout.axes {
      for index in values.indices {
        let channel = TensorStatisticsTests.place(index, layout.shape, axes.channels)
        if channel % 7 == 3 { values[index] = index % 2 == 0 ? 0 : -0.0 }
        if channel % 7 == 4 { values[index] = 0.25 }
        if TensorStatisticsTests.place(index, layout.shape, axes.inputs) % 11 == 2 {
          values[index] = 0
        }
      }
    }
    let found = TensorStatistics(values, shape: layout.shape, axes: layout.axes)
    #expect(found.minimum == values.min())
    #expect(found.maximum == values.max())
    #expect(found.zeros == values.count { $0 == 0 })
    #expect(found.moments.count == Double(count))
    guard let axes = layout.axes else { return #expect(found.channels == nil) }
    let statistics = try #require(found.channels)
    let channels = TensorStatisticsTests.channels(values, layout.shape, axes.channels)
    let dead = channels.indices.filter { channels[$0].allSatisfy { $0 == 0 } }
    #expect(statistics.zero.count == dead.count)
    #expect(statistics.zero.first == dead.first)
    let constant = channels.indices.filter { index in
      channels[index].count > 1 && channels[index][0] != 0
        && channels[index].allSatisfy { $0 == channels[index][0] }
    }
    #expect(statistics.constant.count == constant.count)
    #expect(statistics.constant.first == constant.first)
    let inputs = TensorStatisticsTests.channels(values, layout.shape, axes.inputs)
    let deadInputs = inputs.indices.filter { inputs[$0].allSatisfy { $0 == 0 } }
    #expect(found.deadInputs?.count == deadInputs.count)
    #expect(found.deadInputs?.first == deadInputs.first)
    let peaks = channels.map(TensorStatisticsTests.peak)
    let worst = peaks.indices.filter { peaks[$0].isFinite }.max { peaks[$0] < peaks[$1] }
    guard let worst else { return #expect(statistics.worst == nil) }
    let peak = try #require(statistics.worst?.peak)
    #expect((peak - peaks[worst]).magnitude < 1e-9 * peak)
  }

  @Test func float16IsCountedAtItsLimits() {
    let edges: [Float] = [
      0, -0.0, Float.leastNonzeroMagnitude, 0x1p-25, -0x1p-25, (0x1p-25 as Float).nextUp, 0x1p-24,
      (0x1p-14 as Float).nextDown, 0x1p-14, -1, 65504, (65520 as Float).nextDown, 65520, -65536,
    ]
    let found = TensorStatistics(edges, shape: [edges.count])
    #expect(found.zeros == 2)
    #expect(found.vanishing == 3)
    #expect(found.subnormal == 3)
    #expect(found.large.count == 2)
    #expect(found.large.largest == -65536)
    #expect(found.large.index == 13)
  }

  /// What is said of float16 values is what rounding to them does.
  @Test func float16IsThatOfTheFormats() {
    var random = SeededGenerator(seed: 5)
    let values = Samples.geometric.values(3000, &random).map { $0 * 0x1p-8 } + [65520, 65519, 7e4]
    let found = TensorStatistics(values, shape: [values.count])
    let float16s = values.map(FloatType.float16.rounded)
    #expect(found.vanishing == zip(values, float16s).count { $0 != 0 && $1 == 0 })
    #expect(found.subnormal == zip(values, float16s).count { $0.magnitude < 0x1p-14 && $1 != 0 })
    #expect(found.large.count == float16s.count { $0.isInfinite })
    #expect(found.vanishing > 0 && found.subnormal > 0 && found.large.count == 2)
  }

  @Test(arguments: [[4, 30], [30, 4], [120]])
  func valuesThatAreNotFiniteAreNamed(_ shape: [Int]) {
    var values = (0..<120).map { Float($0) / 7 }
    values[119] = .nan
    values[60] = -.infinity
    values[61] = .infinity
    let found = TensorStatistics(values, shape: shape, axes: shape.count == 2 ? (0, 1) : nil)
    #expect(found.nonFinite.count == 3)
    #expect(found.nonFinite.nan == 1)
    #expect(found.nonFinite.firstNaN == 119)
    #expect(found.nonFinite.infinities == 2)
    #expect(found.nonFinite.negativeInfinities == 1)
    #expect(found.nonFinite.firstInfinity == 60)
    #expect(found.minimum == 0)
    #expect(found.maximum == values[118])
    #expect(found.moments.count == 117)
    #expect(found.distinctValues == nil)
    #expect(!found.areWhole)
    #expect(!found.isConstant)
  }

  @Test func aFaultInALaterBlockKeepsItsPlace() {
    var values = [Float](repeating: 0.5, count: 3 * ValueRun.blockLength)
    values[2 * ValueRun.blockLength + 5] = .nan
    values[ValueRun.blockLength + 1] = 1e5
    let found = TensorStatistics(values, shape: [values.count])
    #expect(found.nonFinite.firstNaN == 2 * ValueRun.blockLength + 5)
    #expect(found.large.index == ValueRun.blockLength + 1)
  }

  struct Edge: CustomTestStringConvertible {
    let shape: [Int]
    var testDescription: String { "\(shape)" }
  }

  @Test(arguments: [[], [0], [0, 3], [3, 0], [1], [1, 1], [1, 1, 1, 1, 1, 1], [2, 0, 4]])
  func smallShapesAreNoTrouble(_ shape: [Int]) {
    let values = [Float](repeating: 2.5, count: shape.reduce(1, *))
    for axes in [nil, (channels: 0, inputs: 1), (channels: 1, inputs: 0)] {
      let found = TensorStatistics(values, shape: shape, axes: axes)
      #expect(found.elementCount == values.count)
      #expect(found.peak == nil)
      #expect(!found.isConstant)
      #expect(found.channels?.zero.count ?? 0 == 0)
      #expect(found.channels?.constant.count ?? 0 == 0)
      #expect(found.deadInputs?.count ?? 0 == 0)
    }
  }

  @Test func wholeNumbersEndWhereFloatsDo() {
    #expect(TensorStatistics([-3, 0, 16_777_215], shape: [3]).areWhole)
    #expect(!TensorStatistics([-3, 0, 16_777_216], shape: [3]).areWhole)
    #expect(!TensorStatistics([1, 2, 2.5], shape: [3]).areWhole)
  }
}
