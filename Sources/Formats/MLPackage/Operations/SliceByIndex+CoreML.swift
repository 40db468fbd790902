import Graph

extension SliceByIndex: CoreMLOperation {
  static var milNames: [String] { ["slice_by_index"] }

  var precision: PrecisionRule { .inherited }

  func parameters(_ shape: [Int?], _ target: DeploymentTarget) -> [OperationParameter] {
    masks + [OperationParameter("begin", .ints(begin)), OperationParameter("end", .ints(end))]
  }

  private var masks: [OperationParameter] {
    let none = begin.map { _ in false }
    return [
      OperationParameter("stride", .ints(begin.map { _ in 1 })),
      OperationParameter("begin_mask", .bools(none)),
      OperationParameter("end_mask", .bools(none)),
      OperationParameter("squeeze_mask", .bools(begin.indices.map { squeezedAxes.contains($0) })),
    ]
  }

  /// Only the first rows of a table of positions are stored; an end that the caller
  /// chooses is computed.
  func write(_ node: ModelGraph.Node, to program: inout ProgramWriter) throws {
    let shape: [Int?] = program.shape(of: node)
    guard let varying = shape.firstIndex(of: nil) else {
      guard let cut = cutTable else { return try program.append(self, node) }
      return program.define(node.name, as: try program.prefix(of: cut.table, rows: cut.rows))
    }
    guard squeezedAxes.isEmpty, let length = program.inputLength() else {
      throw CoreMLError.unknownOperation(operation: milName, value: node.name)
    }
    let precision = program.precision(of: self)
    let table = try program.value(x, in: precision)
    var parts: [String] = []
    for axis in shape.indices {
      let fixed = OperationParameter("part", .ints([end[axis]]))
      parts.append(
        axis == varying ? length.name : program.constant(fixed, node.name, precision))
    }
    let places = program.append(
      "concat", "\(node.name)_end", [("values", .names(parts))],
      [OperationParameter("axis", .int(0)), OperationParameter("interleave", .bool(false))],
      precision, result: (.int32, [parts.count]))
    program.define(
      node.name,
      as: program.append(
        milName, node.name, [("x", .named(table.name)), ("end", .named(places.name))],
        masks + [OperationParameter("begin", .ints(begin))], precision, result: (table.type, shape))
    )
  }

  /// The table of positions if this slices its first rows only, and how many.
  var cutTable: (table: WeightReference, rows: Int)? {
    guard case .weight(let table) = x, table.role == .positionTable, squeezedAxes.isEmpty,
      let rows = end.first, begin.allSatisfy({ $0 == 0 }),
      end.dropFirst().elementsEqual(table.shape.dropFirst())
    else { return nil }
    return (table, rows)
  }

  static func read(_ source: OperationReader) throws -> ReadResult {
    let x = try source.operand("x")
    let shape = source.type(of: x).shape
    let range = try SliceRange(source, shape: shape)
    return .operation(
      SliceByIndex(x, begin: range.begin, end: range.end, squeezedAxes: range.squeezed))
  }
}

/// The parameters of a slice, resolved for a shape: masks applied, negative places counted.
struct SliceRange {
  let begin: [Int]
  let end: [Int]
  let squeezed: [Int]

  init(_ source: OperationReader, shape: [Int]) throws {
    let begin = try source.ints("begin"), end = try source.ints("end")
    let stride = source.has("stride") ? try source.ints("stride") : shape.map { _ in 1 }
    func mask(_ name: String) throws -> [Bool] {
      source.has(name) ? try source.bools(name) : shape.map { _ in false }
    }
    let begins = try mask("begin_mask"), ends = try mask("end_mask")
    let squeezes = try mask("squeeze_mask")
    let counts = [
      begin.count, end.count, stride.count, begins.count, ends.count, squeezes.count,
    ]
    guard counts.allSatisfy({ $0 == shape.count }) else {
      throw source.fault("has parameters of \(counts) entries for the shape \(shape)")
    }
    guard stride.allSatisfy({ $0 == 1 }) else {
      throw source.fault("has the strides \(stride), only 1 is known")
    }
    var first: [Int] = [], last: [Int] = []
    for (axis, length) in shape.enumerated() {
      let start = begins[axis] ? 0 : SliceRange.place(begin[axis], in: length)
      let stop = ends[axis] ? length : SliceRange.place(end[axis], in: length)
      first.append(start)
      last.append(squeezes[axis] ? start + 1 : stop)
    }
    self.begin = first
    self.end = last
    squeezed = shape.indices.filter { squeezes[$0] }
  }

  private static func place(_ index: Int, in length: Int) -> Int {
    index < 0 ? index + length : index
  }
}
