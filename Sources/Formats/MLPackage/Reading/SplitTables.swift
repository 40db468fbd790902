import Graph
import Weights

/// Finds tables of tokens that a program holds in two constants, and reads them as one.
///
/// A lookup in such a table is eight operations: `SplitLookup` says which. They become one `gather`
/// of one table, which gives the same row for every id that has one, and refuses all others, as they
/// do. What is like a lookup but not exactly one stays as it is.
struct SplitTables {
  /// The graph with one operation for each lookup.
  let graph: ModelGraph
  /// The tables that it reads in place of their parts.
  let joined: [WeightConstant]
  /// Names of values that are no longer there.
  let removed: Set<String>

  /// - Parameters:
  ///   - constants: those with axes, by name.
  ///   - names: all names of the program.
  ///   - narrow: names of values that could not hold every difference of ids.
  init(
    _ graph: ModelGraph, _ constants: [String: WeightConstant], names: Set<String>,
    narrow: Set<String>
  ) throws(GraphError) {
    let values = ValueReaders(graph)
    let found = graph.nodes.compactMap { SplitLookup($0, in: values) }
      .filter { narrow.isDisjoint(with: $0.steps + [$0.ids]) }
    let tables = SplitTables.tables(of: found, graph, constants, names)
    let lookups = Dictionary(
      found.filter { tables[$0.parts] != nil }.map { ($0.name, $0) }
    ) { first, _ in first }
    joined = tables.values.sorted { $0.name < $1.name }
    removed = Set(lookups.values.flatMap(\.steps))
    guard !lookups.isEmpty else {
      self.graph = graph
      return
    }
    var builder = GraphBuilder()
    for input in graph.inputs { _ = builder.input(input.name, input.type) }
    for node in graph.nodes where !removed.contains(node.name) {
      let operation =
        lookups[node.name].flatMap { lookup in
          tables[lookup.parts].map { lookup.gather(of: $0) }
        } ?? node.operation
      _ = try builder.append(node.name, operation)
    }
    self.graph = try builder.finish(output: .value(graph.output))
  }

  /// The tables that lookups read, by their parts.
  private static func tables(
    of lookups: [SplitLookup], _ graph: ModelGraph, _ constants: [String: WeightConstant],
    _ names: Set<String>
  ) -> [SplitLookup.Parts: WeightConstant] {
    let pairs = Dictionary(grouping: lookups, by: \.parts)
    let uses = Dictionary(grouping: graph.weightUses, by: \.name).mapValues(\.count)
    var tables: [SplitLookup.Parts: WeightConstant] = [:]
    for (parts, readers) in pairs {
      // Neither part is read by anything else.
      guard uses[parts.first.name] == readers.count, uses[parts.rest.name] == readers.count,
        let table = table(parts, constants), !names.contains(table.name)
      else { continue }
      tables[parts] = table
    }
    // Two tables of one name would be one weight.
    let counts = Dictionary(grouping: tables.values, by: \.name).mapValues(\.count)
    return tables.filter { counts[$0.value.name] == 1 }
  }

  /// The table that two constants are the parts of; nil if they are none.
  private static func table(
    _ parts: SplitLookup.Parts, _ constants: [String: WeightConstant]
  ) -> WeightConstant? {
    guard let first = constants[parts.first.name.text], let rest = constants[parts.rest.name.text],
      first.isCompressed, rest.isCompressed, first.type == rest.type,
      first.shape == parts.first.shape, rest.shape == parts.rest.shape,
      let name = TablePartNames.table(first: first.name, rest: rest.name),
      Identifier.isValid(name), CheckedSize.elementCount(of: parts.shape) != nil
    else { return nil }
    return WeightConstant(
      name: name, operation: "gather", type: first.type, shape: parts.shape,
      form: .split(first: first, rest: rest))
  }
}

extension WeightConstant {
  /// Whether it is stored as integers with scales, or as indices into tables.
  fileprivate var isCompressed: Bool {
    switch form {
    case .affine, .palette: true
    case .plain, .sparse, .split: false
    }
  }
}
