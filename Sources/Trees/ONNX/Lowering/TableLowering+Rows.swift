/// What is computed of the elements of an axis.
extension TableLowering {
  /// Elements in groups: those of the axes side by side.
  private func grouped(
    _ x: LoweredValue, _ axes: Set<Int>
  ) throws(TreeError) -> (elements: [LoweredElement], group: Int) {
    let kept = x.shape.indices.filter { !axes.contains($0) }
    let indices = TabularColumn(.integers(x.elements.indices.map(Int64.init)), x.shape)
    let turned = try runner.transposed(indices, kept + axes.sorted())
    let places = turned.elements.wholeNumbers ?? []
    return (places.map { x.elements[$0] }, axes.reduce(1) { $0 * x.shape[$1] })
  }

  /// One number for each group of elements.
  mutating func reduce(
    _ kind: TableStep.Kind, _ elements: [LoweredElement], _ group: Int
  ) throws(TreeError) -> [LoweredElement] {
    guard group > 0 else { throw fault("reduces an axis that has no elements") }
    if group == 1, kind != .place { return elements }
    let source = try append(
      kind, [try operand(elements)], width: elements.count / group,
      group: group == elements.count ? nil : group)
    if kind == .mean || kind == .largest, areShares(elements) { shares.insert(source) }
    if kind == .sum, group == elements.count, areShares(elements) { sums[source] = elements }
    return columns(source)
  }

  mutating func lower(
    _ reduction: TabularReduction, _ x: LoweredValue, _ given: GraphValue?
  ) throws(TreeError) -> LoweredValue {
    let named = try runner.axes(reduction.axes, try constant(given, "axes")) ?? []
    if named.isEmpty && reduction.keepsWithoutAxes { return x }
    let axes = Set(
      named.isEmpty
        ? Array(x.shape.indices)
        : try named.map { number throws(TreeError) in
          try runner.axis(number, of: x.shape.count)
        })
    let (elements, group) = try grouped(x, axes)
    var result = x
    result.shape =
      reduction.keepsAxes
      ? x.shape.indices.map { axes.contains($0) ? 1 : x.shape[$0] }
      : x.shape.indices.filter { !axes.contains($0) }.map { x.shape[$0] }
    switch reduction.kind {
    case .sum: result.elements = try reduce(.sum, elements, group)
    case .mean: result.elements = try reduce(.mean, elements, group)
    case .largest: result.elements = try reduce(.largest, elements, group)
    case .smallest:
      result.elements = try negated(try reduce(.largest, try negated(elements), group))
    case .product: result.elements = try product(elements, group)
    }
    return result
  }

  private mutating func product(
    _ elements: [LoweredElement], _ group: Int
  ) throws(TreeError) -> [LoweredElement] {
    guard (1...64).contains(group) else { throw unknown("'ReduceProd' of \(group) columns") }
    func factor(_ place: Int) -> [LoweredElement] {
      stride(from: place, to: elements.count, by: group).map { elements[$0] }
    }
    var result = factor(0)
    for place in 1..<group { result = try pair(.multiply, result, factor(place)) }
    return result
  }

  mutating func lower(
    _ place: TabularPlace, _ x: LoweredValue
  ) throws(TreeError) -> LoweredValue {
    let axis = try runner.axis(place.axis, of: x.shape.count)
    var (elements, group) = try grouped(x, [axis])
    if !place.isLargest { elements = try negated(elements) }
    if place.takesLast {
      elements = stride(from: 0, to: elements.count, by: group).flatMap {
        elements[$0..<$0 + group].reversed()
      }
    }
    var result = try reduce(.place, elements, group)
    if place.takesLast { result = try pair(.subtract, [.number(Float(group - 1))], result) }
    var shape = x.shape
    if place.keepsAxis { shape[axis] = 1 } else { shape.remove(at: axis) }
    return LoweredValue(elements: result, shape: shape, type: .int64)
  }

  mutating func lower(
    softmax x: LoweredValue, axis: Int, coversRest: Bool
  ) throws(TreeError) -> LoweredValue {
    let axis = try runner.axis(axis, of: x.shape.count)
    let group = coversRest ? x.shape[axis...].reduce(1, *) : x.shape[axis]
    guard coversRest || x.shape[(axis + 1)...].allSatisfy({ $0 == 1 }) else {
      throw unknown("'Softmax' of an axis that is not the last")
    }
    var result = x
    result.elements = try softmax(x.elements, group)
    return result
  }

  mutating func softmax(
    _ x: [LoweredElement], _ group: Int
  ) throws(TreeError) -> [LoweredElement] {
    guard group > 0 else { throw fault("has no columns") }
    let source = try append(
      .softmax, [try operand(x)], width: x.count, group: group == x.count ? nil : group)
    shares.insert(source)
    if group == x.count { noteOrder(columns(source), x) }
    return columns(source)
  }

  mutating func lower(
    _ norm: TabularOperation.Norm, _ x: LoweredValue
  ) throws(TreeError) -> LoweredValue {
    let elements = x.elements
    var result = x
    result.type = .float
    switch norm {
    case .largest:
      // What has the size 0 stays as it is.
      let size = try reduce(.largest, try withoutMissing(elements), elements.count)
      let isZero = try pair(.equal, size, [.number(0)])
      result.elements = try pair(.divide, elements, try chosen(isZero, [.number(1)], size))
    case .absolute:
      result.elements = try rising(.l1, elements)
      if areShares(elements), let source = whole(result.elements) { shares.insert(source) }
    case .euclidean: result.elements = try rising(.l2, elements)
    }
    return result
  }

  /// With the least number in place of missing ones, which are never the largest; trees and imputers alone take
  /// missing values.
  private mutating func withoutMissing(
    _ x: [LoweredElement]
  ) throws(TreeError) -> [LoweredElement] {
    let takesMissing = graph.steps.contains {
      switch $0.operation {
      case .trees, .imputer: true
      default: false
      }
    }
    guard takesMissing, x.count > 1 else { return x }
    return try chosen(try pair(.equal, x, x), x, [.number(-.greatestFiniteMagnitude)])
  }

  /// The value of an input that has to be the same for every row; nil where it is left out.
  func constant(_ value: GraphValue?, _ name: String) throws(TreeError) -> TabularColumn? {
    switch value {
    case nil: return nil
    case .constant(let column): return column
    case .lowered: throw unknown("\(name) that are not the same for every row")
    }
  }
}
