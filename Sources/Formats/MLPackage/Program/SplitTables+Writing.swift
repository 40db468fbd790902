import Graph
import WeightCompression
import Weights

/// A table in two parts, as two constants of a program.
struct TableParts {
  /// Rows in the first part.
  let rows: Int
  let first: ProgramValue
  let rest: ProgramValue
}

// Tables that are stored in two parts.
extension ProgramWriter {
  /// The parts of a table as constants, written once; nil of a weight that is stored as one.
  mutating func parts(of table: WeightReference) throws -> TableParts? {
    guard case .split(let rows, let first, let rest)? = constants.numbers[table.name] else {
      return nil
    }
    if let known = tables[table.name] { return known }
    let names = TablePartNames(of: constants.identifier(of: table.name), avoiding: taken)
    taken.formUnion([names.first, names.rest])
    let shapes = SplitScheme.parts(of: table, rows: rows)
    let parts = TableParts(
      rows: rows, first: try part(first, shapes.first, names.first),
      rest: try part(rest, shapes.rest, names.rest))
    tables[table.name] = parts
    return parts
  }

  private mutating func part(
    _ numbers: WrittenWeight, _ reference: WeightReference, _ name: String
  ) throws -> ProgramValue {
    var taken = taken
    let written = try constants.constant(numbers, reference, reference.shape, name) {
      Identifier.claim($0, in: &taken)
    }
    self.taken = taken
    for operation in written.operations { append(operation) }
    return written.value
  }

  /// Looks rows of a split table up in both parts; each id takes the part that has its row.
  ///
  /// Each part is asked for a row that it has, whatever the id: the first for its last row where the
  /// id is behind it, the other for its first row where the id is before it.
  mutating func lookUp(
    _ parts: TableParts, _ gather: Gather, _ node: ModelGraph.Node
  ) throws -> ProgramValue {
    let precision = precision(of: gather)
    let ids = try value(gather.indices, in: precision)
    let name = node.name
    let isFirst = append(
      "less", "\(name)_is_first", [("x", .named(ids.name)), ("y", number(parts.rows))], [], .int32,
      result: (.bool, ids.shape))
    let places = places(of: ids, isFirst, parts, name)
    let type = (type: precision, shape: shape(of: node))
    let first = rows(of: parts.first, places.first, gather, "\(name)_first", type)
    let rest = rows(of: parts.rest, places.rest, gather, "\(name)_rest", type)
    let choice = append(
      "expand_dims", "\(name)_choice", [("x", .named(isFirst.name))],
      [OperationParameter("axes", .ints([ids.shape.count]))], .int32,
      result: (.bool, ids.shape + [1]))
    return append(
      "select", name,
      [("cond", .named(choice.name)), ("a", .named(first.name)), ("b", .named(rest.name))], [],
      precision, result: type)
  }

  /// The rows of both parts that ids ask for.
  private mutating func places(
    of ids: ProgramValue, _ isFirst: ProgramValue, _ parts: TableParts, _ name: String
  ) -> (first: ProgramValue, rest: ProgramValue) {
    let type = (type: MILDataType.int32, shape: ids.shape)
    let first = append(
      "select", "\(name)_first_ids",
      [("cond", .named(isFirst.name)), ("a", .named(ids.name)), ("b", number(parts.rows - 1))],
      [], .int32, result: type)
    let behind = append(
      "sub", "\(name)_behind", [("x", .named(ids.name)), ("y", number(parts.rows))], [], .int32,
      result: type)
    let rest = append(
      "maximum", "\(name)_rest_ids", [("x", .named(behind.name)), ("y", number(0))], [], .int32,
      result: type)
    return (first, rest)
  }

  private mutating func rows(
    of part: ProgramValue, _ ids: ProgramValue, _ gather: Gather, _ name: String,
    _ type: (type: MILDataType, shape: [Int?])
  ) -> ProgramValue {
    let table = cast(part, to: type.type)
    return append(
      gather.milName, name, [("x", .named(table.name)), ("indices", .named(ids.name))],
      gather.parameters(type.shape, target), type.type, result: type)
  }

  private mutating func number(_ value: Int) -> MILArgument {
    .named(literal(.split(value), .int32).name)
  }
}

extension Literal {
  /// A number that tells the parts of a split table apart.
  static func split(_ value: Int) -> Literal {
    .integers([Int32(clamping: value)], shape: [])
  }
}
