import Graph
import Weights

/// Which weights of two graphs are used at the same place, whatever they are called.
///
/// Both graphs are walked from their outputs: where one multiplies by a matrix, so must the other. Tools that compress
/// a program give its constants other names, divide by a scale or multiply with what that scale makes of 1, and write
/// a product with a bias as one operation or as two. Everything else must be the same operation of the same operands; then
/// no name matters. What an operation says beside its operands, such as an axis, shows in outputs.
struct PlacePairing {
  /// What has to be done with the candidate's numbers to have them as the baseline would.
  enum Arrangement: Hashable {
    case asStored
    /// Rows are columns.
    case transposed
    /// What one divides by, the other multiplies with.
    case inverted
    /// What one subtracts, the other adds.
    case negated

    /// - Parameter shape: of the baseline's weight.
    func apply(to values: [Float], _ shape: [Int]) -> [Float] {
      switch self {
      case .asStored: return values
      case .inverted: return values.map { 1 / $0 }
      case .negated: return values.map { -$0 }
      case .transposed:
        let (rows, columns) = (shape[0], shape[1])
        guard values.count == rows * columns else { return values }
        return (0..<values.count).map { values[$0 % columns * rows + $0 / columns] }
      }
    }
  }

  /// One place of both graphs.
  struct Pair: Hashable {
    let ours: WeightReference
    /// As the candidate has it.
    let theirs: WeightReference
    let arrangement: Arrangement
  }

  /// Each once; a weight that another tool made two of is in two.
  private(set) var pairs: [Pair] = []
  /// Numbers of the baseline's graph itself that the candidate has as weights.
  private(set) var literals: [(ours: Literal, theirs: WeightReference)] = []
  /// Biases of the candidate's where the baseline has none: their numbers must be zeros.
  private(set) var added: [WeightReference] = []

  private let ours: [String: any Operation]
  private let theirs: [String: any Operation]
  private var seen: Set<Pair> = []
  /// Values of the candidate's by the baseline's, each the only one.
  private var values: [String: String] = [:]
  private var open: [(String, String)] = []

  /// - Returns: nil where an operation has none like it at its place.
  init?(_ ours: ModelGraph, _ theirs: ModelGraph) {
    self.ours = Self.operations(of: ours)
    self.theirs = Self.operations(of: theirs)
    guard ours.inputs.count == theirs.inputs.count, meet(ours.output, theirs.output) else {
      return nil
    }
    let areAlone = ours.inputs.count == 1
    while let (value, other) = open.popLast() {
      switch (self.ours[value], self.theirs[other]) {
      case (nil, nil): guard areAlone || value == other else { return nil }
      case (let operation?, let counterpart?):
        guard take(operation, counterpart) else { return nil }
      default: return nil
      }
    }
  }

  private static func operations(of graph: ModelGraph) -> [String: any Operation] {
    Dictionary(graph.nodes.map { ($0.name, $0.operation) }) { first, _ in first }
  }

  // False if the baseline's value is at the place of another.
  private mutating func meet(_ value: String, _ other: String) -> Bool {
    if let known = values[value] { return known == other }
    values[value] = other
    open.append((value, other))
    return true
  }

  private mutating func add(
    _ weight: WeightReference, _ other: WeightReference, _ arrangement: Arrangement = .asStored
  ) {
    let pair = Pair(ours: weight, theirs: other, arrangement: arrangement)
    if seen.insert(pair).inserted { pairs.append(pair) }
  }

  private mutating func meet(_ operand: Operand, _ other: Operand) -> Bool {
    switch (operand, other) {
    case (.value(let value), .value(let other)): return meet(value, other)
    case (.weight(let weight), .weight(let other)): add(weight, other)
    case (.literal(let literal), .weight(let weight)): literals.append((literal, weight))
    case (.literal(let literal), .literal(let other)):
      return literal.type.scalar == other.type.scalar
    default: return false
    }
    return true
  }

  private mutating func take(_ operation: any Operation, _ other: any Operation) -> Bool {
    if let layer = LinearPlace(operation, ours), let counterpart = LinearPlace(other, theirs) {
      return take(layer, counterpart)
    }
    if let binary = operation as? ElementwiseBinary, let counterpart = other as? ElementwiseBinary {
      return take(binary, counterpart)
    }
    let operands = operation.operands, others = other.operands
    guard operation.milName == other.milName, operands.map(\.parameter) == others.map(\.parameter)
    else { return false }
    return zip(operands, others).allSatisfy { meet($0.operand, $1.operand) }
  }

  private mutating func take(_ layer: LinearPlace, _ other: LinearPlace) -> Bool {
    switch (layer.bias, other.bias) {
    case (nil, nil): break
    case (let bias?, let counterpart?): add(bias, counterpart)
    case (nil, let bias?): added.append(bias)
    case (_?, nil): return false
    }
    add(
      layer.weight, other.weight,
      layer.isInputMajor == other.isInputMajor ? .asStored : .transposed)
    return meet(layer.x, other.x)
  }

  private mutating func take(_ operation: ElementwiseBinary, _ other: ElementwiseBinary) -> Bool {
    if operation.kind == other.kind {
      let isTurned =
        operation.isCommutative && operation.y.isValue != other.y.isValue
        && operation.y.isValue == other.x.isValue
      return meet(operation.x, isTurned ? other.y : other.x)
        && meet(operation.y, isTurned ? other.x : other.y)
    }
    guard let arrangement = operation.kind.arrangement(beside: other.kind),
      let (value, weight) = operation.split, let (otherValue, counterpart) = other.split
    else { return false }
    add(weight, counterpart, arrangement)
    return meet(value, otherValue)
  }
}

/// A product with a matrix of weights, and the bias that is added to it.
private struct LinearPlace {
  let x: Operand
  let weight: WeightReference
  /// Whether the weight is [in, out].
  let isInputMajor: Bool
  let bias: WeightReference?

  /// - Returns: nil of other operations.
  init?(_ operation: any Operation, _ operations: [String: any Operation]) {
    switch operation {
    case let linear as Linear:
      guard case .weight(let weight) = linear.weight else { return nil }
      (x, self.weight, isInputMajor) = (linear.x, weight, false)
      if case .weight(let bias) = linear.bias { self.bias = bias } else { bias = nil }
      guard bias != nil || linear.bias == nil else { return nil }
    case let product as Matmul:
      guard case .weight(let weight) = product.y, weight.shape.count == 2, !product.transposeX
      else { return nil }
      (x, self.weight, isInputMajor, bias) = (product.x, weight, !product.transposeY, nil)
    case let sum as ElementwiseBinary:
      guard sum.kind == .add, let (value, bias) = sum.split, bias.shape.count == 1,
        case .value(let name) = value, let product = operations[name],
        !(product is ElementwiseBinary), let layer = LinearPlace(product, operations),
        layer.bias == nil, bias.shape == [layer.weight.shape[layer.isInputMajor ? 1 : 0]]
      else { return nil }
      (x, weight, isInputMajor, self.bias) = (layer.x, layer.weight, layer.isInputMajor, bias)
    default: return nil
    }
  }
}

extension Operand {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }
}

extension ElementwiseBinary {
  fileprivate var isCommutative: Bool { [.add, .mul, .maximum].contains(kind) }

  /// What is computed and the weight beside it; nil where a weight comes first and must.
  fileprivate var split: (Operand, WeightReference)? {
    switch (x, y) {
    case (.value, .weight(let weight)): (x, weight)
    case (.weight(let weight), .value) where isCommutative: (y, weight)
    default: nil
    }
  }
}

extension ElementwiseBinary.Kind {
  fileprivate func arrangement(beside other: Self) -> PlacePairing.Arrangement? {
    switch (self, other) {
    case (.realDivision, .mul), (.mul, .realDivision): .inverted
    case (.sub, .add), (.add, .sub): .negated
    default: nil
    }
  }
}
