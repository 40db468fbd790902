import Glibc
import Graph

@testable import Execution

extension Reference {
  /// The elements of a node's value.
  func evaluate(_ node: ModelGraph.Node, _ inputs: [ReferenceTensor]) -> [Double] {
    let places = Reference.indices(node.type.shape)
    switch node.operation {
    case let operation as ElementwiseBinary:
      return places.map { Reference.binary(operation.kind, inputs[0][$0], inputs[1][$0]) }
    case let operation as ElementwiseUnary:
      return inputs[0].values.map { Reference.unary(operation.kind, $0) }
    case let operation as Gelu:
      return inputs[0].values.map { Reference.gelu(operation.mode, $0) }
    case is Select:
      return places.map { inputs[0][$0] != 0 ? inputs[1][$0] : inputs[2][$0] }
    case let operation as Cast:
      return inputs[0].values.map { Reference.cast($0, operation.scalar) }
    case is Reshape, is ExpandDims: return inputs[0].values
    case let operation as Transpose: return places.map { transposed(operation, inputs[0], $0) }
    case let operation as SliceByIndex: return places.map { sliced(operation, inputs[0], $0) }
    case let operation as CumulativeSum:
      return places.map { summed(operation, inputs[0], $0) }
    case let operation as Tile: return places.map { tiled(operation, inputs[0], $0) }
    case let operation as Clip:
      return inputs[0].values.map { x in
        x.isNaN ? x : min(max(x, Double(operation.lowest)), Double(operation.highest))
      }
    case let operation as Comparison:
      return places.map { Reference.holds(operation.kind, inputs[0][$0], inputs[1][$0]) ? 1 : 0 }
    case let operation as Conv: return places.map { convolved(operation, inputs, $0) }
    case let operation as BatchNorm: return places.map { batchNorm(operation, inputs, $0) }
    case let operation as Pool: return places.map { pooled(operation, inputs[0], $0) }
    case let operation as SigmoidHard:
      return inputs[0].values.map {
        min(max(Double(operation.alpha) * $0 + Double(operation.beta), 0), 1)
      }
    case let operation as Concat: return places.map { joined(operation, inputs, $0) }
    case is Gather: return places.map { gathered(inputs, $0) }
    case let operation as Reduce: return places.map { reduced(operation, inputs[0], $0) }
    case let operation as Softmax: return places.map { softmax(operation, inputs[0], $0) }
    case let operation as LayerNorm: return places.map { norm(operation, inputs, $0) }
    case is Linear: return places.map { linear(inputs, $0) }
    case let operation as Matmul: return places.map { product(operation, inputs, $0) }
    case is ScaledDotProductAttention: return places.map { attention(inputs, $0) }
    default: return []
    }
  }

  private static func binary(_ kind: ElementwiseBinary.Kind, _ x: Double, _ y: Double) -> Double {
    switch kind {
    case .add: x + y
    case .sub: x - y
    case .mul: x * y
    case .realDivision: x / y
    case .maximum: x.isNaN || y.isNaN ? .nan : max(x, y)
    }
  }

  private static func unary(_ kind: ElementwiseUnary.Kind, _ x: Double) -> Double {
    switch kind {
    case .relu: x.isNaN ? x : max(0, x)
    case .sigmoid: 1 / (1 + exp(-x))
    case .tanh: tanh(x)
    case .sqrt: x.squareRoot()
    }
  }

  static func gelu(_ mode: Gelu.Mode, _ x: Double) -> Double {
    switch mode {
    case .exact: x * 0.5 * (1 + erf(x / 2.0.squareRoot()))
    case .tanhApproximation:
      0.5 * x * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    case .sigmoidApproximation: x / (1 + exp(-1.702 * x))
    }
  }

  private static func cast(_ x: Double, _ scalar: ScalarType) -> Double {
    switch scalar {
    case .float32, .float64: x
    case .int32: x.rounded(.towardZero)
    case .bool: x != 0 ? 1 : 0
    }
  }

  private func transposed(_ operation: Transpose, _ x: ReferenceTensor, _ place: [Int]) -> Double {
    var source = place
    for (axis, from) in operation.permutation.enumerated() { source[from] = place[axis] }
    return x[source]
  }

  private func summed(
    _ operation: CumulativeSum, _ x: ReferenceTensor, _ place: [Int]
  ) -> Double {
    (0...place[operation.axis]).reduce(0) { sum, index in
      var source = place
      source[operation.axis] = index
      return sum + x[source]
    }
  }

  private func tiled(_ operation: Tile, _ x: ReferenceTensor, _ place: [Int]) -> Double {
    x[zip(place, x.shape).map { $0 % $1 }]
  }

  private func joined(
    _ operation: Concat, _ inputs: [ReferenceTensor], _ place: [Int]
  ) -> Double {
    var index = place
    for input in inputs {
      if index[operation.axis] < input.shape[operation.axis] { return input[index] }
      index[operation.axis] -= input.shape[operation.axis]
    }
    return .nan
  }

  private static func holds(_ kind: Comparison.Kind, _ x: Double, _ y: Double) -> Bool {
    switch kind {
    case .equal: x == y
    case .less: x < y
    case .greaterOrEqual: x >= y
    }
  }

  private func sliced(_ operation: SliceByIndex, _ x: ReferenceTensor, _ place: [Int]) -> Double {
    var rest = place[...]
    let index = operation.begin.enumerated().map { axis, begin in
      operation.squeezedAxes.contains(axis) ? begin : begin + rest.removeFirst()
    }
    return x[index]
  }

  private func gathered(_ inputs: [ReferenceTensor], _ place: [Int]) -> Double {
    let axes = inputs[1].shape.count
    return inputs[0][[Int(inputs[1][Array(place[..<axes])])] + place[axes...]]
  }

  private func reduced(_ operation: Reduce, _ x: ReferenceTensor, _ place: [Int]) -> Double {
    var base = place
    if !operation.keepsAxis { base.insert(0, at: operation.axis) }
    let line = (0..<x.shape[operation.axis]).map { index -> Double in
      var index2 = base
      index2[operation.axis] = index
      return x[index2]
    }
    switch operation.kind {
    case .sum: return line.reduce(0, +)
    case .mean: return line.reduce(0, +) / Double(line.count)
    case .max: return line.contains { $0.isNaN } ? .nan : line.max() ?? -.infinity
    case .l2Norm: return line.reduce(0) { $0 + $1 * $1 }.squareRoot()
    }
  }

  private func softmax(_ operation: Softmax, _ x: ReferenceTensor, _ place: [Int]) -> Double {
    let axis = x.shape.count + operation.axis
    let line = (0..<x.shape[axis]).map { index -> Double in
      var other = place
      other[axis] = index
      return x[other]
    }
    let greatest = line.max() ?? 0
    return exp(x[place] - greatest) / line.reduce(0) { $0 + exp($1 - greatest) }
  }

  private func norm(
    _ operation: LayerNorm, _ inputs: [ReferenceTensor], _ place: [Int]
  ) -> Double {
    let width = inputs[0].shape[inputs[0].shape.count - 1]
    let line = (0..<width).map { inputs[0][place.dropLast() + [$0]] }
    let mean = line.reduce(0, +) / Double(width)
    let variance = line.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(width)
    let column = [place[place.count - 1]]
    return (inputs[0][place] - mean) / (variance + Double(operation.epsilon)).squareRoot()
      * inputs[1][column] + inputs[2][column]
  }

  private func linear(_ inputs: [ReferenceTensor], _ place: [Int]) -> Double {
    let column = place[place.count - 1]
    var sum = inputs.count == 3 ? inputs[2][[column]] : 0
    for inner in 0..<inputs[1].shape[1] {
      sum += inputs[0][place.dropLast() + [inner]] * inputs[1][[column, inner]]
    }
    return sum
  }

  private func product(
    _ operation: Matmul, _ inputs: [ReferenceTensor], _ place: [Int]
  ) -> Double {
    let row = place[place.count - 2], column = place[place.count - 1]
    let batch = Array(place.dropLast(2)), xShape = inputs[0].shape
    var sum = 0.0
    for inner in 0..<xShape[xShape.count - (operation.transposeX ? 2 : 1)] {
      sum +=
        inputs[0][batch + (operation.transposeX ? [inner, row] : [row, inner])]
        * inputs[1][batch + (operation.transposeY ? [column, inner] : [inner, column])]
    }
    return sum
  }

  private func attention(_ inputs: [ReferenceTensor], _ place: [Int]) -> Double {
    let (batch, head, row, column) = (place[0], place[1], place[2], place[3])
    let width = inputs[1].shape[3]
    let scores = (0..<inputs[1].shape[2]).map { key -> Double in
      let dot = (0..<width).reduce(0.0) {
        $0 + inputs[0][[batch, head, row, $1]] * inputs[1][[batch, head, key, $1]]
      }
      return dot / Double(width).squareRoot()
        + (inputs.count == 4 ? inputs[3][[batch, head, row, key]] : 0)
    }
    let greatest = scores.max() ?? 0
    let weights = scores.map { exp($0 - greatest) }
    let sum = weights.reduce(0, +)
    return weights.enumerated().reduce(0) {
      $0 + $1.element / sum * inputs[2][[batch, head, $1.offset, column]]
    }
  }
}
