import Graph
import Weights

/// Which values of a graph do nothing but hide keys from a softmax.
struct MaskUses {
  /// Values that only reach sums and choices before a softmax, or a softmax itself.
  private let hiding: Set<String>
  /// Names of weights that are read only in such places.
  let masks: [String]

  init(_ graph: ModelGraph) {
    var hiding: Set<String> = []
    var readers: [String: [(ModelGraph.Node, String)]] = [:]
    for node in graph.nodes {
      for case (let parameter, .value(let name)) in node.operation.operands {
        readers[name, default: []].append((node, parameter))
      }
    }
    for node in graph.nodes.reversed() where node.name != graph.output {
      let uses = readers[node.name] ?? []
      if !uses.isEmpty, uses.allSatisfy({ MaskUses.hides($0, $1, hiding) }) {
        hiding.insert(node.name)
      }
    }
    self.hiding = hiding
    masks = MaskUses.weights(graph) { MaskUses.hides($0, $1, hiding) }
  }

  private static func weights(
    _ graph: ModelGraph, where hides: (ModelGraph.Node, String) -> Bool
  ) -> [String] {
    var good: Set<String> = [], others: Set<String> = []
    for node in graph.nodes {
      for case (let parameter, .weight(let reference)) in node.operation.operands {
        if hides(node, parameter) {
          good.insert(reference.name.text)
        } else {
          others.insert(reference.name.text)
        }
      }
    }
    return good.subtracting(others).sorted()
  }

  /// Whether what a node reads under a parameter ends in a softmax and nowhere else.
  func hides(_ node: ModelGraph.Node, _ parameter: String) -> Bool {
    MaskUses.hides(node, parameter, hiding)
  }

  private static func hides(
    _ node: ModelGraph.Node, _ parameter: String, _ hiding: Set<String>
  ) -> Bool {
    switch node.operation {
    case is Softmax: true
    case is ScaledDotProductAttention: parameter == "attn_mask"
    case is Select: parameter != "cond" && hiding.contains(node.name)
    case let sum as ElementwiseBinary: sum.kind == .add && hiding.contains(node.name)
    case is Tile, is ExpandDims, is Reshape, is Transpose, is SliceByIndex, is Concat:
      hiding.contains(node.name)
    default: false
    }
  }
}

/// An operation that a mask may pass on its way to a softmax.
protocol MaskReader: Operation {
  /// The same with other operands.
  func mapOperands(_ change: (_ parameter: String, Operand) -> Operand) -> any Operation
}

extension Select: MaskReader {
  func mapOperands(_ change: (String, Operand) -> Operand) -> any Operation {
    Select(condition, change("a", a), else: change("b", b))
  }
}

extension ElementwiseBinary: MaskReader {
  func mapOperands(_ change: (String, Operand) -> Operand) -> any Operation {
    ElementwiseBinary(kind, change("x", x), change("y", y))
  }
}

extension ScaledDotProductAttention: MaskReader {
  func mapOperands(_ change: (String, Operand) -> Operand) -> any Operation {
    ScaledDotProductAttention(
      query: query, key: key, value: value, mask: mask.map { change("attn_mask", $0) })
  }
}

/// An operation that moves or repeats the numbers of one operand.
protocol MovingReader: MaskReader {
  var x: Operand { get }
  /// The same of another operand.
  func moving(_ x: Operand) -> any Operation
}

extension MovingReader {
  func mapOperands(_ change: (String, Operand) -> Operand) -> any Operation {
    moving(change("x", x))
  }
}

extension Tile: MovingReader {
  func moving(_ x: Operand) -> any Operation { Tile(x, repetitions: repetitions) }
}

extension ExpandDims: MovingReader {
  func moving(_ x: Operand) -> any Operation { ExpandDims(x, axes: axes) }
}

extension Reshape: MovingReader {
  func moving(_ x: Operand) -> any Operation { Reshape(x, shape: shape) }
}

extension Transpose: MovingReader {
  func moving(_ x: Operand) -> any Operation { Transpose(x, permutation: permutation) }
}

extension SliceByIndex: MovingReader {
  func moving(_ x: Operand) -> any Operation {
    SliceByIndex(x, begin: begin, end: end, squeezedAxes: squeezedAxes)
  }
}

extension Concat: MaskReader {
  func mapOperands(_ change: (String, Operand) -> Operand) -> any Operation {
    Concat(values.map { change("values", $0) }, axis: axis)
  }
}
