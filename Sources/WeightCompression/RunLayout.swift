/// Which elements of a row-major tensor share a scale or a palette.
///
/// Contiguous groups of channels along one axis cut the flat tensor into runs of equal length that
/// belong to groups 0, 1, …, groups − 1, 0, 1, … in turn.
struct RunLayout: Hashable {
  /// Elements of one run.
  let runLength: Int
  let groups: Int
  let elementCount: Int

  /// One group of all elements.
  static func whole(_ elementCount: Int) -> RunLayout {
    RunLayout(runLength: elementCount, groups: 1, elementCount: elementCount)
  }

  /// Groups of `size` channels along `axis`; the axis' length must be a multiple of `size`.
  ///
  /// A tensor without that axis (a scalar) is one group.
  static func grouped(shape: [Int], axis: Int, size: Int) -> RunLayout {
    let count = shape.reduce(1, *)
    guard shape.indices.contains(axis) else { return whole(count) }
    let inner = shape[(axis + 1)...].reduce(1, *)
    return RunLayout(
      runLength: size * inner, groups: shape[axis] / size, elementCount: count)
  }

  /// Elements of one group.
  var groupCount: Int { groups == 0 ? 0 : elementCount / groups }

  /// Calls `body(group, range)` for the parts of runs that lie in `range`, in flat order.
  @inline(__always)
  func forEachRun(in range: Range<Int>, _ body: (Int, Range<Int>) -> Void) {
    var start = range.lowerBound
    while start < range.upperBound {
      let run = start / runLength
      let end = min((run + 1) * runLength, range.upperBound)
      body(run % groups, start..<end)
      start = end
    }
  }

  /// Calls `body(range)` for the runs of one group, in flat order.
  @inline(__always)
  func forEachRun(of group: Int, _ body: (Range<Int>) -> Void) {
    guard runLength > 0 else { return }
    var start = group * runLength
    while start < elementCount {
      body(start..<start + runLength)
      start += groups * runLength
    }
  }
}
