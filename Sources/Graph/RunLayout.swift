/// Groups the elements of a row-major tensor: by channel, or by scale or palette.
///
/// Equal blocks along its axes cut the flat tensor into runs of equal length. Groups are the blocks,
/// row-major.
package struct RunLayout: Hashable, Sendable {
  /// Elements of one run.
  package let runLength: Int
  package let groups: Int
  package let elementCount: Int
  /// Groups that take turns, run by run.
  @usableFromInline let inner: Int
  /// Number of their turns before the next groups come.
  @usableFromInline let turns: Int
  /// Blocks along each axis but the last, from the innermost, where more than two axes have several:
  /// only other tools' tensors do.
  @usableFromInline let outer: [Axis]

  /// The numbers of an axis's blocks, and of runs in each.
  @usableFromInline struct Axis: Hashable {
    @usableFromInline let blocks: Int
    @usableFromInline let runs: Int
  }

  /// - Parameter blocks: their number along each axis, each a divisor of its length.
  package init(shape: [Int], blocks: [Int]) {
    precondition(shape.count == blocks.count, "a number of blocks for each axis")
    elementCount = shape.contains(0) ? 0 : shape.reduce(1, *)
    groups = blocks.reduce(1, *)
    let axes = blocks.indices.filter { blocks[$0] != 1 }
    guard let last = axes.last, elementCount > 0 else {
      (runLength, inner, turns, outer) = (elementCount, max(groups, 1), 1, [])
      return
    }
    let runLength = shape[last] / blocks[last] * shape[(last + 1)...].reduce(1, *)
    /// Runs of one block along an axis.
    func runs(_ axis: Int) -> Int {
      shape[axis..<last].reduce(1, *) / blocks[axis] * blocks[last]
    }
    self.runLength = runLength
    inner = blocks[last]
    turns = axes.count == 1 ? 1 : runs(axes[axes.count - 2]) / blocks[last]
    outer =
      axes.count <= 2
      ? [] : axes.dropLast().reversed().map { Axis(blocks: blocks[$0], runs: runs($0)) }
  }

  /// Each place along one axis as a group of its own; nil if the shape has no such axis.
  package init?(shape: [Int], axis: Int) {
    guard shape.indices.contains(axis) else { return nil }
    elementCount = shape.contains(0) ? 0 : shape.reduce(1, *)
    groups = shape[axis]
    runLength = elementCount == 0 ? 0 : shape[(axis + 1)...].reduce(1, *)
    (inner, turns, outer) = (max(groups, 1), 1, [])
  }

  /// The channels of a weight; a weight without any counts as one.
  package init(channelsOf reference: WeightReference) {
    self =
      RunLayout(shape: reference.shape, axis: reference.role.channelAxis)
      ?? RunLayout(shape: reference.shape, blocks: reference.shape.map { _ in 1 })
  }

  /// Elements of one group.
  @inlinable
  package var groupCount: Int { groups == 0 ? 0 : elementCount / groups }

  /// Runs of one group.
  package var runsPerGroup: Int { runLength == 0 ? 0 : groupCount / runLength }

  /// The values of one group, in flat order.
  package func elements(of group: Int, in values: [Float]) -> [Float] {
    if groups == 1 { return values }
    var elements: [Float] = []
    elements.reserveCapacity(groupCount)
    forEachRun(of: group) { elements.append(contentsOf: values[$0]) }
    return elements
  }

  /// The group of a run.
  @inlinable @inline(__always)
  func group(ofRun run: Int) -> Int {
    if inner == groups { return run % groups }
    if !outer.isEmpty { return outerGroup(ofRun: run) }
    return run / (inner * turns) % (groups / inner) * inner + run % inner
  }

  /// The same for blocks along more than two axes.
  @inlinable
  func outerGroup(ofRun run: Int) -> Int {
    var group = run % inner
    var step = inner
    for axis in outer {
      group += run / axis.runs % axis.blocks * step
      step *= axis.blocks
    }
    return group
  }

  /// The group of one element.
  @inlinable
  package func group(of element: Int) -> Int { group(ofRun: element / runLength) }

  /// Calls `body(group, range)` for the parts of runs inside `range`, in flat order.
  @inlinable @inline(__always)
  package func forEachRun(in range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      let run = start / runLength
      let end = min((run + 1) * runLength, range.upperBound)
      body(group(ofRun: run), start..<end)
      start = end
    }
  }

  /// Calls `body(first, range)` for the parts of `range` whose elements belong to consecutive groups
  /// from `first` on; for runs of one element.
  @inlinable @inline(__always)
  package func forEachTurn(in range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    precondition(runLength == 1, "runs of one element")
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start / inner * inner + inner, range.upperBound)
      body(group(ofRun: start), start..<end)
      start = end
    }
  }

  /// Calls `body(range)` for the runs of one group, in flat order.
  @inlinable @inline(__always)
  package func forEachRun(of group: Int, _ body: (Range<Int>) -> Void) {
    guard runLength > 0 else { return }
    guard outer.isEmpty else {
      forEachRun(in: 0..<elementCount) { if $0 == group { body($1) } }
      return
    }
    let cycle = groups * turns * runLength
    var first = (group / inner * inner * turns + group % inner) * runLength
    while first < elementCount {
      for turn in 0..<turns {
        let start = first + turn * inner * runLength
        body(start..<start + runLength)
      }
      first += cycle
    }
  }
}
