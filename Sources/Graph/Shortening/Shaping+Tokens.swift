// Operations that move numbers.

extension Gather: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    guard inputs[0].tokens.isEmpty, Gather.findsRows(inputs[1], of: inputs[0].type) else {
      return nil
    }
    var value = TokenValue(type, tokens: inputs[1].tokens)
    value.range = inputs[0].range
    let row: [Double]
    if case .weight(let table)? = inputs[0].constant {
      row = try walk.largestOfRows(table)
      if row.count == 1 { value.range = try walk.range(table) }
    } else if let limits = inputs[0].magnitudes?.reduced(0, max) {
      row = limits.limits
    } else {
      return value
    }
    let places = inputs[1].reducedShape + [1]
    value.magnitudes = Magnitudes(row, shape: [row.count]).flatMap {
      Magnitudes(1, shape: places)?.combined(with: $0, *)?.reshaped(value.reducedShape)
    }
    value.isNonNegative = inputs[0].isNonNegative
    return value
  }

  // At padding, too: where no row is found, the whole text fails.
  private static func findsRows(_ places: TokenValue, of table: ValueType) -> Bool {
    guard !places.tokens.isEmpty else { return true }
    guard let range = places.range else { return false }
    return range.lowest >= 0 && range.highest < table.shape[0]
  }
}

extension Transpose: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    var value = x.moved(type, try walk.magnitudes(x)?.transposed(permutation)) { axis in
      permutation.firstIndex(of: axis) ?? axis
    }
    let others = permutation.filter { !x.tokens.contains($0) }
    if others == others.sorted() { value.affine = x.affine }
    return value
  }
}

extension ExpandDims: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    var places = x.type.shape.indices.map { Optional($0) }
    for axis in axes { places.insert(nil, at: axis) }
    let moved = TokenValue(type, tokens: Set(x.tokens.compactMap { places.firstIndex(of: $0) }))
    var value = x.moved(type, try walk.magnitudes(x)?.reshaped(moved.reducedShape)) { axis in
      places.firstIndex(of: axis) ?? axis
    }
    value.affine = x.affine
    return value
  }
}

extension Reshape: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    var places: [Int: Int] = [:]
    for axis in x.tokens {
      guard let place = Reshape.place(of: axis, in: x.type.shape, after: shape) else { return nil }
      places[axis] = place
    }
    let moved = TokenValue(type, tokens: Set(places.values))
    var value = x.moved(type, try walk.magnitudes(x)?.reshaped(moved.reducedShape)) {
      places[$0] ?? $0
    }
    value.affine = x.affine
    return value
  }

  /// The axis of the new shape that holds an axis of the old one whole; nil if it is split or joined
  /// with others.
  private static func place(of axis: Int, in old: [Int], after new: [Int]) -> Int? {
    let before = old[..<axis].reduce(1, *), length = old[axis]
    var product = 1
    for (place, count) in new.enumerated() {
      if product == before, count == length { return place }
      product *= count
    }
    return nil
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    Reshape(operands[0], shape: shape)
  }
}

extension SliceByIndex: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    var rest = x
    for axis in x.tokens where begin[axis] != 0 || end[axis] != x.type.shape[axis] {
      // Places in front are there at every length from here on.
      walk.shortest = max(walk.shortest, end[axis])
      rest.tokens.remove(axis)
      rest.zeros.remove(axis)
      rest.gaps[axis] = nil
      rest.choice = nil
    }
    let kept = x.type.shape.indices.filter { !squeezedAxes.contains($0) }
    var limits = try walk.magnitudes(x)
    if let whole = limits {
      let isToken = x.type.shape.indices.map { x.tokens.contains($0) }
      let lengths = x.type.shape.indices.map { isToken[$0] ? 1 : end[$0] - begin[$0] }
      limits = whole.sliced(x.type.shape.indices.map { isToken[$0] ? 0 : begin[$0] }, lengths)
    }
    var value = rest.moved(type, nil) { axis in kept.firstIndex(of: axis) ?? axis }
    value.sharesAxis = nil
    if let limits {
      let wide = kept.map { rest.tokens.contains($0) ? 1 : end[$0] - begin[$0] }
      value.magnitudes = limits.reshaped(kept.map { limits.shape[$0] }).flatMap {
        Magnitudes(1, shape: wide)?.combined(with: $0, *)
      }
    }
    return value
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    // Axes that follow the tokens are taken whole, so that the value has their length.
    var place = 0
    var end = end
    for axis in end.indices where !squeezedAxes.contains(axis) {
      end[axis] = begin[axis] + shape[place]
      place += 1
    }
    return SliceByIndex(operands[0], begin: begin, end: end, squeezedAxes: squeezedAxes)
  }
}

extension Concat: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    guard inputs.allSatisfy({ !$0.tokens.contains(axis) }),
      let aligned = try walk.align(inputs, rank: type.shape.count)
    else { return nil }
    var value = TokenValue(type, tokens: aligned.tokens)
    let parts = aligned.values.compactMap(\.magnitudes)
    if parts.count == inputs.count {
      value.magnitudes = Magnitudes.joined(parts, axis: axis)
      value.zeros = aligned.values.reduce(aligned.tokens) { $0.intersection($1.zeros) }
    }
    value.isNonNegative = inputs.allSatisfy(\.isNonNegative)
    value.range = inputs.dropFirst().reduce(inputs.first?.range) { all, input in
      input.range.flatMap { all?.union($0) }
    }
    return value
  }

  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? {
    Concat(operands, axis: axis)
  }
}

extension Tile: TokenMoving {
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue? {
    let x = inputs[0]
    guard x.tokens.allSatisfy({ repetitions[$0] == 1 }) else { return nil }
    var limits = try walk.magnitudes(x)
    for axis in repetitions.indices where repetitions[axis] > 1 {
      guard let part = limits else { continue }
      limits = Magnitudes.joined(Array(repeating: part, count: repetitions[axis]), axis: axis)
    }
    var value = x.moved(type, limits) { $0 }
    value.sharesAxis = nil
    return value
  }
}
