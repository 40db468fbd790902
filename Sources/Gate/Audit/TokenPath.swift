import Graph
import Tokenization

/// Follows token ids through a graph up to the lookup.
///
/// The ids come from the tokenizer, which is compared with the baseline's. A program that makes others
/// of some of them is another tokenizer in disguise, and texts without those tokens do not show it.
struct TokenPath {
  /// Why the ids that are looked up are not those of the tokenizer; empty if they are.
  private(set) var faults: [TokenFault] = []
  /// Values of any shape that are the ids.
  private var ids: Set<String> = [TokenPath.input]
  /// Values that are the ids and one number more: every text shows whether they are right.
  private var shifted: Set<String> = []
  /// Values that say whether an id is below zero, which none is.
  private var signs: Set<String> = []
  /// Ids that a graph may look for: padding, the end of a text, and those of the baseline's graph.
  private let known: Set<Int32>
  /// How many ids there are.
  private let count: Int

  private static let input = "input_ids"

  /// Looks at the longest program of a model; a graph of Ingot's own has no faults.
  ///
  /// - Parameter baseline: what it looks for, its padding and its end may be looked for.
  /// - Throws: as building the graph, and errors from reading the tokenizer.
  static func faults(
    of model: Model, against baseline: Model
  ) throws -> [TokenFault] {
    guard case .tokens = model.architecture.input,
      case .single(let lengths) = model.architecture.shapes, let length = lengths.last
    else { return [] }
    let padding = try baseline.tokenizer()?.paddingID
    var known = Set([padding, baseline.architecture.endToken].compactMap(\.self))
    if case .any = baseline.architecture.shapes {
      known.formUnion(lookedFor(in: try baseline.architecture.graph(batch: 1, length: length)))
    }
    let graph = try model.architecture.graph(batch: 1, length: length)
    return TokenPath(graph, known: known).faults
  }

  /// The ids that the input is compared with in a graph of Ingot's own.
  static func lookedFor(in graph: ModelGraph) -> Set<Int32> {
    Set(
      graph.nodes.compactMap { node in
        guard let comparison = node.operation as? Comparison, comparison.kind == .equal,
          comparison.x == .value(input),
          case .literal(.integers(let values, _)) = comparison.y, values.count == 1
        else { return nil }
        return values[0]
      })
  }

  init(_ graph: ModelGraph, known: Set<Int32>) {
    self.known = known
    count = graph.inputs.first { $0.name == TokenPath.input }?.type.elementCount ?? 0
    for node in graph.nodes {
      guard let kind = take(node) else { continue }
      faults.append(
        TokenFault(operation: node.operation.milName, node: node.name, kind: kind))
    }
  }

  /// Notes how a node changes ids.
  ///
  /// - Returns: the fault of the node; nil if it has none.
  private mutating func take(_ node: ModelGraph.Node) -> TokenFault.Kind? {
    let operands = node.operation.operands.map(\.operand)
    guard operands.contains(where: { isOne($0, of: ids) || isOne($0, of: shifted) }) else {
      return nil
    }
    switch node.operation {
    case let gather as Gather: return fault(of: gather)
    case let comparison as Comparison where isOne(comparison.x, of: ids):
      return take(comparison, node.name)
    case is Cast where node.type.scalar == .bool: return known.contains(0) ? nil : .makesOthers
    case is Cast, is Reshape, is ExpandDims, is Transpose: note(operands, node.name)
    case is SliceByIndex where node.type.elementCount == count: note(operands, node.name)
    case let sum as ElementwiseBinary where sum.kind == .add && hasNumber(operands):
      shifted.insert(node.name)
    case let choice as Select where isOne(choice.condition, of: signs):
      shifted.insert(node.name)
    default: return .makesOthers
    }
    return nil
  }

  private func isOne(_ operand: Operand, of names: Set<String>) -> Bool {
    if case .value(let name) = operand { names.contains(name) } else { false }
  }

  private mutating func note(_ operands: [Operand], _ name: String) {
    if operands.contains(where: { isOne($0, of: shifted) }) {
      shifted.insert(name)
    } else {
      ids.insert(name)
    }
  }

  private func hasNumber(_ operands: [Operand]) -> Bool {
    operands.contains {
      if case .literal(let literal) = $0 { literal.type.elementCount == 1 } else { false }
    }
  }

  private func fault(of gather: Gather) -> TokenFault.Kind? {
    guard isOne(gather.indices, of: ids) || isOne(gather.indices, of: shifted) else {
      return .looksUpBySomethingElse
    }
    if case .weight = gather.x { return nil }
    return .looksUpInNumbers
  }

  private mutating func take(
    _ comparison: Comparison, _ name: String
  ) -> TokenFault.Kind? {
    guard case .literal(.integers(let values, _)) = comparison.y, values.count == 1 else {
      return .comparesWithSeveral
    }
    if comparison.kind == .equal {
      return known.contains(values[0]) ? nil : .looksFor(values[0])
    }
    guard values[0] == 0 else { return .comparesWith(values[0]) }
    signs.insert(name)
    return nil
  }
}
