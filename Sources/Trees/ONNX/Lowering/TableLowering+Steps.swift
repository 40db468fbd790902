/// One step of the graph after another.
extension TableLowering {
  mutating func lower(_ step: GraphStep) throws(TreeError) {
    let given = step.inputs.map { slot in slot.flatMap { values[$0] } }
    for (slot, value) in zip(step.inputs, given) where slot != nil && value == nil {
      throw unknown("numbers of the label that another step gives")
    }
    if let columns = constants(given) {
      for (slot, value) in zip(step.outputs, try runner.run(step.operation, columns)) {
        if let slot { values[slot] = .constant(value) }
      }
      return
    }
    switch step.operation {
    case .trees(let trees): try lower(trees, try first(given), step)
    case .linear(let linear): try lower(linear, try first(given), step)
    default:
      if let slot = step.outputs[0] { values[slot] = try value(step.operation, given) }
    }
  }

  /// The inputs, where all of them are the same for every row.
  private func constants(_ given: [GraphValue?]) -> [TabularColumn?]? {
    var columns: [TabularColumn?] = []
    for value in given {
      switch value {
      case nil: columns.append(nil)
      case .constant(let column): columns.append(column)
      case .lowered: return nil
      }
    }
    return columns
  }

  private func first(_ given: [GraphValue?]) throws(TreeError) -> LoweredValue {
    try lowered(given.first, "input")
  }

  private func lowered(
    _ value: GraphValue??, _ name: String
  ) throws(TreeError) -> LoweredValue {
    guard case .some(.some(let value)) = value else {
      throw fault("has no \(name)")
    }
    return try lowered(value)
  }

  private mutating func value(
    _ operation: TabularOperation, _ given: [GraphValue?]
  ) throws(TreeError) -> GraphValue {
    let second = given.count > 1 ? given[1] : nil
    switch operation {
    case .pick, .concat, .reshape, .gather, .slice, .transpose, .squeeze, .unsqueeze, .flatten,
      .vectorizer:
      return .lowered(try moved(operation, given))
    case .shape:
      let shape = try first(given).shape
      return .constant(TabularColumn(.integers(shape.map(Int64.init)), [shape.count]))
    case .fill: throw unknown("a shape that is not the same for every row")
    case .nameClasses: return .lowered(try first(given))
    case .scaler(let offset, let scale):
      return .lowered(try lower(scaler: try first(given), offset, scale))
    case .normalizer(let norm): return .lowered(try lower(norm, try first(given)))
    case .imputer(let imputer): return .lowered(try lower(imputer, try first(given)))
    case .oneHot(let labels, _): return .lowered(try lower(oneHot: try first(given), labels))
    case .labelMap(let map): return .lowered(try lower(map, try first(given)))
    case .cast(let type): return .lowered(try lower(cast: try first(given), to: type))
    case .unary(let unary): return .lowered(try lower(unary, try first(given)))
    case .binary(let binary):
      return .lowered(
        try lower(binary, try first(given), try lowered(.some(second), "second input")))
    case .fold(let fold):
      let all = try given.map { value throws(TreeError) in try lowered(.some(value), "input") }
      return .lowered(try lower(fold, all))
    case .choose: return .lowered(try choose(given))
    case .softmax(let axis, let coversRest):
      return .lowered(
        try lower(softmax: try first(given), axis: axis, coversRest: coversRest))
    case .place(let place): return .lowered(try lower(place, try first(given)))
    case .reduce(let reduction):
      return .lowered(try lower(reduction, try first(given), second))
    case .clip(let low, let high):
      return .lowered(try lower(clip: try first(given), low, high, given))
    case .matrixProduct: return .lowered(try product(try first(given), second, nil, nil))
    case .affine(let affine):
      return .lowered(
        try product(try first(given), second, given.count > 2 ? given[2] : nil, affine))
    case .trees, .linear: throw fault("has no value of its own")
    }
  }

  private mutating func choose(_ given: [GraphValue?]) throws(TreeError) -> LoweredValue {
    let all = try given.map { value throws(TreeError) in try lowered(.some(value), "input") }
    let shape = try runner.common(all.map(\.shape))
    guard all[1].type == all[2].type, all[1].type != .string else {
      throw unknown("'Where' of texts")
    }
    let parts = all.map { repeated($0, to: shape) }
    return LoweredValue(
      elements: try chosen(parts[0], parts[1], parts[2]), shape: shape, type: all[1].type)
  }

  /// Elements in other places: the operator itself says where each comes from.
  private func moved(
    _ operation: TabularOperation, _ given: [GraphValue?]
  ) throws(TreeError) -> LoweredValue {
    let movesAll =
      switch operation {
      case .concat, .vectorizer: true
      default: false
      }
    var table: [LoweredElement] = []
    var type: TabularType?
    var columns: [TabularColumn?] = []
    for (number, value) in given.enumerated() {
      guard let value, movesAll || number == 0 else {
        columns.append(try constant(value, "places"))
        continue
      }
      let part = try lowered(value)
      columns.append(
        TabularColumn(
          .integers(part.elements.indices.map { Int64(table.count + $0) }), part.shape))
      table += part.elements
      type = type ?? part.type
    }
    let result: TabularColumn
    if case .vectorizer = operation {
      result = try runner.concatenated(columns.map { $0?.reshaped([1, $0?.count ?? 0]) }, 1)
      type = .float
    } else {
      result = try runner.run(operation, columns)[0]
    }
    return LoweredValue(
      elements: (result.elements.wholeNumbers ?? []).map { table[$0] }, shape: result.shape,
      type: type ?? .float)
  }

  /// A product with a matrix that is the same for every row.
  private mutating func product(
    _ x: LoweredValue, _ matrix: GraphValue?, _ offset: GraphValue?, _ affine: TabularAffine?
  ) throws(TreeError) -> LoweredValue {
    guard case .constant(let y)? = matrix, var numbers = y.elements.numbers,
      y.shape.count <= 2, x.shape.dropLast().allSatisfy({ $0 == 1 }), x.shape.count <= 2,
      !(affine?.transposesLeft ?? false)
    else { throw unknown("a product of two values of a row, or of several rows") }
    let isTurned = affine?.transposesRight ?? false
    let depth = x.elements.count
    let columnCount = y.shape.count == 2 ? y.shape[isTurned ? 0 : 1] : 1
    guard depth * columnCount == numbers.count else {
      throw fault("the shapes \(x.shape) and \(y.shape) do not go together")
    }
    if !isTurned {
      // [columns, depth], as `linear` has it.
      numbers = (0..<numbers.count).map {
        numbers[$0 % depth * columnCount + $0 / depth]
      }
    }
    let alpha = affine?.alpha ?? 1
    let value = try operand(x.elements)
    let weight = try array(
      "weight", [columnCount, depth], numbers.map { Float($0) * alpha }, for: .linear)
    var inputs = [value, weight]
    if let offset, let affine {
      guard let bias = try constant(offset, "offsets") else { throw fault("has no offset") }
      let row = runner.repeated(bias, to: [1, columnCount]).elements.numbers ?? []
      inputs.append(
        try array("bias", [columnCount], row.map { Float($0) * affine.beta }, for: .linear))
    }
    let source = try append(.linear, inputs, width: columnCount)
    let shape = (x.shape.count == 2 ? [1] : []) + (y.shape.count == 2 ? [columnCount] : [])
    return LoweredValue(elements: columns(source), shape: shape, type: x.type)
  }
}
