/// Which elements of a row-major tensor share a scale or a palette.
///
/// Equal blocks along one or two axes cut the flat tensor into runs of equal length. Groups are the
/// blocks, row-major.
package struct RunLayout: Hashable, Sendable {
  /// Elements of one run.
  package let runLength: Int
  package let groups: Int
  package let elementCount: Int
  /// Groups that take turns, run by run.
  private let inner: Int
  /// How often they take turns before the next ones come.
  private let turns: Int

  /// - Parameter blocks: how many there are along each axis, each a divisor of its length; more
  ///   than one along two axes at most.
  package init(shape: [Int], blocks: [Int]) {
    precondition(shape.count == blocks.count, "a number of blocks for each axis")
    elementCount = shape.reduce(1, *)
    groups = blocks.reduce(1, *)
    let axes = blocks.indices.filter { blocks[$0] != 1 }
    guard let last = axes.last, elementCount > 0 else {
      (runLength, inner, turns) = (elementCount, max(groups, 1), 1)
      return
    }
    precondition(axes.count <= 2, "blocks along two axes at most")
    runLength = shape[last] / blocks[last] * shape[(last + 1)...].reduce(1, *)
    inner = blocks[last]
    let first = axes[0]
    turns = first == last ? 1 : shape[first..<last].reduce(1, *) / blocks[first]
  }

  /// Elements of one group.
  package var groupCount: Int { groups == 0 ? 0 : elementCount / groups }

  /// The values of one group, in flat order.
  func elements(of group: Int, in values: [Float]) -> [Float] {
    if groups == 1 { return values }
    var elements: [Float] = []
    elements.reserveCapacity(groupCount)
    forEachRun(of: group) { elements.append(contentsOf: values[$0]) }
    return elements
  }

  /// The group of a run.
  @inline(__always)
  private func group(ofRun run: Int) -> Int {
    if inner == groups { return run % groups }
    return run / (inner * turns) % (groups / inner) * inner + run % inner
  }

  /// The group of one element.
  package func group(of element: Int) -> Int { group(ofRun: element / runLength) }

  /// Calls `body(group, range)` for the parts of runs that lie in `range`, in flat order.
  @inline(__always)
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
  @inline(__always)
  func forEachTurn(in range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    precondition(runLength == 1, "runs of one element")
    var start = range.lowerBound
    while start < range.upperBound {
      let end = min(start / inner * inner + inner, range.upperBound)
      body(group(ofRun: start), start..<end)
      start = end
    }
  }

  /// Calls `body(range)` for the runs of one group, in flat order.
  @inline(__always)
  package func forEachRun(of group: Int, _ body: (Range<Int>) -> Void) {
    guard runLength > 0 else { return }
    let outer = group / inner
    let cycle = groups * turns * runLength
    var first = (outer * inner * turns + group % inner) * runLength
    while first < elementCount {
      for turn in 0..<turns {
        let start = first + turn * inner * runLength
        body(start..<start + runLength)
      }
      first += cycle
    }
  }
}
