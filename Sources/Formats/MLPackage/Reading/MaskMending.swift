import Graph
import Weights

/// Makes the −∞ of masks finite in a graph that was read from a program.
///
/// A mask hides keys from a softmax. There −10000 does what −∞ does, for every row with a key that is
/// not hidden and scores that differ by less than 9900: e^−100 is nothing beside 1. A constant is
/// changed only if every use ends in a softmax, by way of sums, choices and changes of shape;
/// anywhere else −∞ would mean something else, or make NaN.
struct MaskMending {
  /// The number that hides a place, as in the masks that Ingot builds itself.
  static let hidden: Float = -10000

  /// The graph with finite masks; numbers of a mask are part of it and not among its weights.
  let graph: ModelGraph
  /// Names of the changed constants.
  let mended: Set<String>
  /// Numbers that are not finite and no masks.
  let faults: [ConstantFault]

  /// - Parameters:
  ///   - numbers: the numbers of no axes that are not finite, by the place where they are read.
  ///   - constants: those with axes, by name.
  init(
    _ graph: ModelGraph, numbers: [ConstantPlace: String], constants: [String: WeightConstant]
  ) throws {
    let uses = MaskUses(graph)
    let candidates = uses.masks.compactMap { constants[$0] }
    let masks = try Dictionary(
      candidates.compactMap { constant in
        try MaskMending.mask(of: constant).map { (constant.name, $0) }
      }
    ) { first, _ in first }
    guard !masks.isEmpty || !numbers.isEmpty else {
      (self.graph, mended, faults) = (graph, [], [])
      return
    }
    self.graph = try MaskMending.replaced(graph, uses, masks)
    let (good, bad) = MaskMending.sorted(graph, uses, numbers)
    mended = good.union(masks.keys)
    faults = bad
  }

  // Finite numbers and −∞, with −10000 in its place; nil for anything else.
  private static func mask(of constant: WeightConstant) throws -> [Float]? {
    var values = try constant.floats()
    guard values.contains(-.infinity) else { return nil }
    guard values.allSatisfy({ $0.isFinite || $0 == -.infinity }) else { return nil }
    for place in values.indices where !values[place].isFinite { values[place] = hidden }
    return values
  }

  private static func replaced(
    _ graph: ModelGraph, _ uses: MaskUses, _ masks: [String: [Float]]
  ) throws(GraphError) -> ModelGraph {
    var builder = GraphBuilder()
    for input in graph.inputs { _ = builder.input(input.name, input.type) }
    for node in graph.nodes {
      guard let operation = node.operation as? any MaskReader else {
        _ = try builder.append(node.name, node.operation)
        continue
      }
      let mended = operation.mapOperands { parameter, operand in
        guard uses.hides(node, parameter) else { return operand }
        switch operand {
        case .literal(.floats([-.infinity], shape: [])): return .literal(.float(hidden))
        case .weight(let reference):
          guard let values = masks[reference.name.text] else { return operand }
          return .literal(.floats(values, shape: reference.shape))
        default: return operand
        }
      }
      _ = try builder.append(node.name, mended)
    }
    return try builder.finish(output: .value(graph.output))
  }

  // Which numbers are masks wherever they are read, and the places of all others.
  private static func sorted(
    _ graph: ModelGraph, _ uses: MaskUses, _ numbers: [ConstantPlace: String]
  ) -> (Set<String>, [ConstantFault]) {
    let nodes = Dictionary(graph.nodes.map { ($0.name, $0) }) { first, _ in first }
    var good: Set<String> = [], bad: [ConstantFault] = []
    for (place, name) in numbers.sorted(by: { $0.key < $1.key }) {
      // A place that made no node of its own was read before anything runs.
      guard let node = nodes[place.value] else { continue }
      if place.number == -.infinity, uses.hides(node, place.parameter) {
        good.insert(name)
      } else {
        bad.append(
          ConstantFault(
            name: name, number: place.number, reader: node.operation.milName, value: node.name))
      }
    }
    return (good, bad)
  }
}

/// Where a program reads a number of no axes that is not finite.
struct ConstantPlace: Hashable, Comparable {
  /// Name of the value that is made of it.
  let value: String
  let parameter: String
  let number: Float

  static func < (left: ConstantPlace, right: ConstantPlace) -> Bool {
    (left.value, left.parameter) < (right.value, right.parameter)
  }
}

/// A constant that is not finite and not a mask.
package struct ConstantFault: Hashable, Sendable, CustomStringConvertible {
  /// Its name in the program.
  package let name: String
  package let number: Float
  /// MIL's name of the operation that reads it.
  package let reader: String
  /// Name of the value that the operation makes.
  package let value: String

  /// The operation that reads it, in words.
  package var place: String {
    let product = reader == "mul" ? ", and 0 · \(number) is NaN" : ""
    return "\(reader) '\(value)'\(product)"
  }

  package var description: String { "the constant '\(name)' is \(number), read by \(place)" }
}
