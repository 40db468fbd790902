extension StepRunner {
  func concatenated(_ inputs: [TabularColumn?], _ axis: Int) throws(TreeError) -> TabularColumn {
    let first = try needed(inputs[0], "first input")
    let axis = try self.axis(axis, of: first.shape.count)
    let outer = first.shape[..<axis].reduce(1, *)
    var all = first.elements
    var starts = [0]
    var shape = first.shape
    for input in inputs.dropFirst() {
      let next = try needed(input, "further input")
      guard next.shape.count == shape.count,
        next.shape.indices.allSatisfy({ $0 == axis || next.shape[$0] == shape[$0] })
      else { throw fault("the shapes \(first.shape) and \(next.shape) do not go together") }
      starts.append(all.count)
      shape[axis] += next.shape[axis]
      _ = try count(of: shape)
      guard let longer = all.followed(by: next.elements) else {
        throw fault("is given \(first.type) and \(next.type)")
      }
      all = longer
    }
    let count = try count(of: shape)
    guard outer > 1 else { return TabularColumn(all, shape) }
    let inner = inputs.map { ($0?.count ?? 0) / outer }
    var places: [Int] = []
    places.reserveCapacity(count)
    for row in 0..<outer {
      for (input, width) in inner.enumerated() {
        places += starts[input] + row * width..<starts[input] + (row + 1) * width
      }
    }
    return TabularColumn(all.picked(places), shape)
  }

  func reshaped(
    _ x: TabularColumn, _ target: TabularColumn, _ keepsZero: Bool
  ) throws(TreeError) -> TabularColumn {
    var shape = try whole(target)
    for (axis, length) in shape.enumerated() where length == 0 && !keepsZero {
      guard axis < x.shape.count else { throw fault("keeps axis \(axis) of \(x.shape)") }
      shape[axis] = x.shape[axis]
    }
    let isFree = shape.indices.filter { shape[$0] == -1 }
    guard isFree.count < 2 else { throw fault("is given the shape \(shape)") }
    if let free = isFree.first {
      shape[free] = 1
      let rest = try count(of: shape)
      guard rest > 0, x.count % rest == 0 else {
        throw fault("\(x.count) elements do not fit the shape \(try whole(target))")
      }
      shape[free] = x.count / rest
    }
    guard shape.allSatisfy({ $0 >= 0 }), try count(of: shape) == x.count else {
      throw fault("\(x.count) elements do not fit the shape \(shape)")
    }
    return x.reshaped(shape)
  }

  func gathered(
    _ x: TabularColumn, _ places: TabularColumn, _ axis: Int
  ) throws(TreeError) -> TabularColumn {
    let axis = try self.axis(axis, of: x.shape.count)
    let picks = try whole(places).map { place throws(TreeError) in
      try self.place(place, of: x.shape[axis])
    }
    let shape = Array(x.shape[..<axis]) + places.shape + Array(x.shape[(axis + 1)...])
    return TabularColumn(try picked(x, axis, picks, shape), shape)
  }

  /// A place of an axis, of which negative ones count from the end.
  private func place(_ place: Int, of count: Int) throws(TreeError) -> Int {
    guard place >= -count, place < count else {
      throw fault("asks for place \(place) of \(count)")
    }
    return place < 0 ? place + count : place
  }

  /// The elements of x at places of an axis.
  private func picked(
    _ x: TabularColumn, _ axis: Int, _ picks: [Int], _ shape: [Int]
  ) throws(TreeError) -> TabularColumn.Elements {
    let (outer, inner) = (x.shape[..<axis].reduce(1, *), x.shape[(axis + 1)...].reduce(1, *))
    var places: [Int] = []
    places.reserveCapacity(try count(of: shape))
    for row in 0..<outer {
      for pick in picks {
        let start = (row * x.shape[axis] + pick) * inner
        places += start..<start + inner
      }
    }
    return x.elements.picked(places)
  }

  /// Columns of the first by the places in the second.
  func picked(_ x: TabularColumn, _ places: TabularColumn) throws(TreeError) -> TabularColumn {
    let width = x.width
    let picks = try whole(places).map { place throws(TreeError) in
      guard place >= 0, place < width else { throw fault("asks for column \(place) of \(width)") }
      return place
    }
    let shape =
      x.shape.count < 2 ? [1, picks.count] : Array(x.shape.dropLast()) + [picks.count]
    let source = x.shape.count < 2 ? x.reshaped([1, width]) : x
    return TabularColumn(try picked(source, source.shape.count - 1, picks, shape), shape)
  }

  func sliced(_ inputs: [TabularColumn?]) throws(TreeError) -> TabularColumn {
    var x = try needed(inputs[0], "input")
    let starts = try whole(try needed(inputs[1], "starts"))
    let ends = try whole(try needed(inputs[2], "ends"))
    let axes = try self.axes(nil, inputs.count > 3 ? inputs[3] : nil) ?? Array(starts.indices)
    let steps = try self.axes(nil, inputs.count > 4 ? inputs[4] : nil)
    guard ends.count == starts.count, axes.count == starts.count,
      steps?.allSatisfy({ $0 == 1 }) ?? true
    else { throw fault("has \(starts.count) starts, \(ends.count) ends, or steps that are not 1") }
    for (part, number) in axes.enumerated() {
      let axis = try self.axis(number, of: x.shape.count)
      let length = x.shape[axis]
      func bound(_ place: Int) -> Int { max(0, min(length, place < 0 ? place + length : place)) }
      let (start, end) = (bound(starts[part]), bound(ends[part]))
      var shape = x.shape
      shape[axis] = max(0, end - start)
      let picks = Array(start..<max(start, end))
      x = TabularColumn(try picked(x, axis, picks, shape), shape)
    }
    return x
  }

  func transposed(_ x: TabularColumn, _ order: [Int]?) throws(TreeError) -> TabularColumn {
    let rank = x.shape.count
    let order = order ?? Array((0..<rank).reversed())
    guard order.sorted() == Array(0..<rank) else {
      throw fault("has the order \(order) of \(rank) axes")
    }
    var strides = [Int](repeating: 1, count: rank)
    for axis in stride(from: rank - 2, through: 0, by: -1) {
      strides[axis] = strides[axis + 1] * x.shape[axis + 1]
    }
    let shape = order.map { x.shape[$0] }
    var places = [0]
    for (axis, length) in shape.enumerated() {
      let step = strides[order[axis]]
      places = places.flatMap { place in (0..<length).map { place + $0 * step } }
    }
    return TabularColumn(x.elements.picked(places), shape)
  }

  func squeezed(_ x: TabularColumn, _ axes: [Int]?) throws(TreeError) -> TabularColumn {
    guard let axes else { return x.reshaped(x.shape.filter { $0 != 1 }) }
    var leaves: Set<Int> = []
    for number in axes {
      let axis = try self.axis(number, of: x.shape.count)
      guard x.shape[axis] == 1 else { throw fault("removes axis \(number) of \(x.shape)") }
      leaves.insert(axis)
    }
    return x.reshaped(x.shape.indices.filter { !leaves.contains($0) }.map { x.shape[$0] })
  }

  func unsqueezed(_ x: TabularColumn, _ axes: [Int]) throws(TreeError) -> TabularColumn {
    let rank = x.shape.count + axes.count
    guard rank <= TabularGraph.axisLimit else { throw fault("makes a value of \(rank) axes") }
    var isNew = [Bool](repeating: false, count: rank)
    for number in axes {
      let axis = try self.axis(number, of: rank)
      guard !isNew[axis] else { throw fault("adds axis \(axis) twice") }
      isNew[axis] = true
    }
    var lengths = x.shape[...]
    return x.reshaped(isNew.map { $0 ? 1 : lengths.popFirst() ?? 1 })
  }

  func flattened(_ x: TabularColumn, _ axis: Int) throws(TreeError) -> TabularColumn {
    let rank = x.shape.count
    guard axis >= -rank, axis <= rank else {
      throw fault("has the axis \(axis), there are \(rank)")
    }
    let axis = axis < 0 ? axis + rank : axis
    return x.reshaped([x.shape[..<axis].reduce(1, *), x.shape[axis...].reduce(1, *)])
  }

  func filled(_ value: TabularColumn, _ shape: [Int]) throws(TreeError) -> TabularColumn {
    let count = try count(of: shape)
    return TabularColumn(value.elements.picked([Int](repeating: 0, count: count)), shape)
  }
}
