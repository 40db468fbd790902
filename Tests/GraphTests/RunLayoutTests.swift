import TestSupport
import Testing

@testable import Graph

/// Groups of blocks along one axis or two, against coordinates counted out.
struct RunLayoutTests {
  /// The block of an element, row-major, by its coordinates.
  private func group(of element: Int, _ shape: [Int], _ blocks: [Int]) -> Int {
    var rest = element
    var coordinates: [Int] = []
    for length in shape.reversed() {
      coordinates.insert(rest % length, at: 0)
      rest /= length
    }
    return shape.indices.reduce(0) { group, axis in
      group * blocks[axis] + coordinates[axis] / (shape[axis] / blocks[axis])
    }
  }

  private func check(_ shape: [Int], _ blocks: [Int]) {
    let layout = RunLayout(shape: shape, blocks: blocks)
    let count = shape.reduce(1, *)
    #expect(layout.groups == blocks.reduce(1, *))
    #expect(layout.elementCount == count)
    let expected = (0..<count).map { group(of: $0, shape, blocks) }
    #expect((0..<count).map { layout.group(of: $0) } == expected, "\(shape) \(blocks)")

    var walked = [Int](repeating: -1, count: count)
    var next = 0
    layout.forEachRun(in: 0..<count) { group, run in
      #expect(run.lowerBound == next)
      next = run.upperBound
      for i in run { walked[i] = group }
    }
    #expect(walked == expected && next == count)

    for group in 0..<layout.groups {
      var members: [Int] = []
      layout.forEachRun(of: group) { members.append(contentsOf: $0) }
      #expect(members == (0..<count).filter { expected[$0] == group }, "\(shape) \(blocks)")
      let values = (0..<count).map { Float($0) }
      #expect(layout.elements(of: group, in: values) == members.map { Float($0) })
    }
    if layout.runLength == 1 {
      var turned = [Int](repeating: -1, count: count)
      layout.forEachTurn(in: 0..<count) { first, range in
        for i in range { turned[i] = first + i - range.lowerBound }
      }
      #expect(turned == expected)
    }
  }

  @Test func agreesWithCoordinatesForEveryRank() {
    var random = SeededGenerator(seed: 171)
    for rank in 0...6 {
      for _ in 0..<40 {
        let shape = (0..<rank).map { _ in [1, 2, 3, 4, 6].randomElement(using: &random) ?? 1 }
        var blocks = shape.map { _ in 1 }
        for _ in 0..<(rank <= 4 ? 4 : 2) where rank > 0 {
          let axis = Int.random(in: 0..<rank, using: &random)
          let divisors = (1...shape[axis]).filter { shape[axis] % $0 == 0 }
          blocks[axis] = divisors.randomElement(using: &random) ?? 1
        }
        check(shape, blocks)
      }
    }
  }

  /// The input axis before the channel axis, and after it; and more axes than schemes cut.
  @Test(arguments: [
    ([4, 6], [4, 3]), ([6, 4], [3, 4]), ([2, 4, 6], [1, 2, 6]), ([4, 2, 6], [2, 1, 3]),
    ([2, 3, 2, 4], [2, 1, 2, 2]), ([2, 3, 4, 2, 4], [2, 3, 2, 2, 4]), ([], []), ([1, 1], [1, 1]),
  ])
  func cutsAnyAxesInEitherOrder(_ shape: [Int], _ blocks: [Int]) {
    check(shape, blocks)
  }

  @Test(arguments: [[0], [0, 3], [3, 0], [2, 0, 4], [0, 0]])
  func hasNoRunsWithoutElements(_ shape: [Int]) {
    for blocks in [shape, shape.map { min($0, 1) }, shape.map { _ in 1 }] {
      let layout = RunLayout(shape: shape, blocks: blocks)
      layout.forEachRun(in: 0..<0) { _, _ in Issue.record("a run") }
      for group in 0..<layout.groups {
        layout.forEachRun(of: group) { run in if !run.isEmpty { Issue.record("a run") } }
      }
    }
  }

  /// Places of an axis lie in runs of what comes after it, even where all are of one place.
  @Test(arguments: [([4, 6], 0), ([4, 6], 1), ([4, 3, 6], 1), ([4, 1, 6], 1), ([5, 1], 1)])
  func takesEachPlaceOfAnAxisForAGroup(_ shape: [Int], _ axis: Int) throws {
    let layout = try #require(RunLayout(shape: shape, axis: axis))
    let inner = shape[(axis + 1)...].reduce(1, *)
    #expect(layout.groups == shape[axis] && layout.runLength == inner)
    #expect(layout.runsPerGroup == shape[..<axis].reduce(1, *))
    for element in 0..<layout.elementCount {
      #expect(layout.group(of: element) == element / inner % shape[axis])
    }
    #expect(RunLayout(shape: shape, axis: shape.count) == nil)
  }

  /// Parts of runs, wherever a range starts and ends.
  @Test func walksAnyPart() {
    let layout = RunLayout(shape: [3, 4, 5], blocks: [3, 2, 1])
    for start in 0..<60 {
      for end in start...60 {
        var walked: [Int] = []
        layout.forEachRun(in: start..<end) { group, run in
          walked += run.map { _ in group }
        }
        #expect(walked == (start..<end).map { layout.group(of: $0) })
      }
    }
  }
}
