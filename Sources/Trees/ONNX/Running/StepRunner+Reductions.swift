#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StepRunner {
  /// Lines of a value along an axis: where each begins, how far its elements are apart, and how many it has.
  private func lines(_ shape: [Int], _ axis: Int) -> (starts: [Int], step: Int, count: Int) {
    let inner = shape[(axis + 1)...].reduce(1, *)
    let count = shape[axis]
    let outer = shape[..<axis].reduce(1, *)
    let starts = (0..<outer).flatMap { row in (0..<inner).map { row * count * inner + $0 } }
    return (starts, inner, count)
  }

  func softmax(
    _ x: TabularColumn, _ axis: Int, _ coversRest: Bool
  ) throws(TreeError) -> TabularColumn {
    let axis = try self.axis(axis, of: x.shape.count)
    let shape =
      coversRest ? [x.shape[..<axis].reduce(1, *), x.shape[axis...].reduce(1, *)] : x.shape
    let (starts, step, count) = lines(shape, coversRest ? 1 : axis)
    switch x.elements {
    case .floats(var values):
      for start in starts {
        let places = (0..<count).map { start + $0 * step }
        let shares = StepRunner.softmax(places.map { values[$0] })
        for (place, share) in zip(places, shares) { values[place] = share }
      }
      return TabularColumn(.floats(values), x.shape)
    case .doubles(var values):
      for start in starts {
        let places = (0..<count).map { start + $0 * step }
        let shares = StepRunner.softmax(places.map { values[$0] })
        for (place, share) in zip(places, shares) { values[place] = share }
      }
      return TabularColumn(.doubles(values), x.shape)
    default: throw fault("is given \(x.type), expected floats")
    }
  }

  static func softmax(_ values: [Float]) -> [Float] {
    let largest = values.max() ?? 0
    let powers = values.map { expf($0 - largest) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }

  static func softmax(_ values: [Double]) -> [Double] {
    let largest = values.max() ?? 0
    let powers = values.map { exp($0 - largest) }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }

  func place(_ x: TabularColumn, _ place: TabularPlace) throws(TreeError) -> TabularColumn {
    let axis = try self.axis(place.axis, of: x.shape.count)
    guard let values = x.elements.numbers, x.shape[axis] > 0 else {
      throw fault("is given \(x.type) of the shape \(x.shape)")
    }
    let (starts, step, count) = lines(x.shape, axis)
    let places = starts.map { start in
      var best = 0
      for next in 1..<max(count, 1) {
        let (one, other) = (values[start + next * step], values[start + best * step])
        if place.isLargest ? one > other : one < other { best = next }
        if place.takesLast && one == other { best = next }
      }
      return Int64(best)
    }
    var shape = x.shape
    if place.keepsAxis { shape[axis] = 1 } else { shape.remove(at: axis) }
    return TabularColumn(.integers(places), shape)
  }

  func reduced(
    _ x: TabularColumn, _ reduction: TabularReduction, _ given: TabularColumn?
  ) throws(TreeError) -> TabularColumn {
    let named = try self.axes(reduction.axes, given) ?? []
    if named.isEmpty && reduction.keepsWithoutAxes { return x }
    let axes = try named.map { number throws(TreeError) in try axis(number, of: x.shape.count) }
    var value = x
    // The last axis first, so that numbers of axes stay.
    for axis in (axes.isEmpty ? Array(x.shape.indices) : Array(Set(axes))).sorted(by: >) {
      value = try reduced(value, reduction.kind, axis)
    }
    guard !reduction.keepsAxes else { return value }
    let leaves = Set(axes.isEmpty ? Array(x.shape.indices) : axes)
    return value.reshaped(
      value.shape.indices.filter { !leaves.contains($0) }.map { value.shape[$0] })
  }

  private func reduced(
    _ x: TabularColumn, _ kind: TabularReduction.Kind, _ axis: Int
  ) throws(TreeError) -> TabularColumn {
    let (starts, step, count) = lines(x.shape, axis)
    guard count > 0 else { throw fault("reduces an axis of \(x.shape) that has no elements") }
    var shape = x.shape
    shape[axis] = 1
    func line<Number>(_ values: [Number], _ start: Int) -> [Number] {
      (0..<count).map { values[start + $0 * step] }
    }
    switch x.elements {
    case .floats(let values):
      return TabularColumn(.floats(starts.map { StepRunner.one(kind, line(values, $0)) }), shape)
    case .doubles(let values):
      return TabularColumn(.doubles(starts.map { StepRunner.one(kind, line(values, $0)) }), shape)
    case .integers(let values) where kind == .sum:
      return TabularColumn(.integers(starts.map { line(values, $0).reduce(0, &+) }), shape)
    default: throw fault("reduces \(x.type), expected floats")
    }
  }

  private static func one<Number: BinaryFloatingPoint>(
    _ kind: TabularReduction.Kind, _ values: [Number]
  ) -> Number {
    switch kind {
    case .sum: values.reduce(0, +)
    case .mean: values.reduce(0, +) / Number(values.count)
    case .product: values.reduce(1, *)
    case .largest: values.max() ?? 0
    case .smallest: values.min() ?? 0
    }
  }
}
