import Graph
import Testing

@testable import Execution

// What each operation is run on.
extension OperationTests {
  static let pairs: [[[Int]]] = [
    [[], []], [[1], [1]], [[5], [5]], [[5], [1]], [[1], [5]], [[5], []], [[], [3, 4]],
    [[2, 3, 4], [2, 3, 4]], [[2, 3, 4], [4]], [[2, 3, 4], [3, 1]], [[2, 3, 1], [1, 4]],
    [[2, 1, 4], [2, 3, 4]], [[1, 3, 1, 5], [2, 1, 4, 1]], [[0], [1]], [[2, 0, 3], [1, 3]],
    [[7, 33], [7, 1]], [[3, 2, 2], [2, 2]], [[4, 3], [4, 1]],
  ]

  static let binary: [Case] = ElementwiseBinary.Kind.allCases.flatMap { kind in
    pairs.map { shapes in
      Case("\(kind.rawValue) \(shapes)", shapes) { ElementwiseBinary(kind, $0[0], $0[1]) }
    }
  }

  static let integerBinary: [Case] = [ElementwiseBinary.Kind.add, .sub, .mul, .maximum].flatMap {
    kind in
    pairs.map { shapes in
      Case("\(kind.rawValue) int32 \(shapes)", shapes, scalar: .int32) {
        ElementwiseBinary(kind, $0[0], $0[1])
      }
    }
  }

  static let shapes: [[Int]] = [[], [1], [15], [16], [17], [3, 67], [2, 0], [2, 3, 33]]

  static let unary: [Case] = shapes.flatMap { shape in
    ElementwiseUnary.Kind.allCases.map { kind in
      Case("\(kind.rawValue) \(shape)", [shape]) { ElementwiseUnary(kind, $0[0]) }
    }
      + [Gelu.Mode.exact, .tanhApproximation, .sigmoidApproximation].map { mode in
        Case("gelu \(mode.rawValue) \(shape)", [shape]) { Gelu($0[0], mode: mode) }
      }
  }

  static let rows: [Case] = [
    [1], [1, 1], [4, 5], [3, 16], [2, 3, 33], [0, 4], [2, 2, 384],
  ].flatMap { shape -> [Case] in
    let width = shape[shape.count - 1]
    return [
      Case("layer_norm \(shape)", [shape, [width], [width]]) {
        LayerNorm($0[0], gamma: $0[1], beta: $0[2], epsilon: 1e-5)
      }
    ]
      + (1...shape.count).map { axis in
        Case("softmax \(shape) axis \(-axis)", [shape]) { Softmax($0[0], axis: -axis) }
      }
  }

  static let reducedAxes: [([Int], Int)] = [
    ([4], 0), ([1], 0), ([2, 3, 5], 0), ([2, 3, 5], 1), ([2, 3, 5], 2), ([0, 3], 1), ([2, 1], 1),
  ]

  static let reductions: [Case] = Reduce.Kind.allCases.flatMap { kind in
    reducedAxes.flatMap { (shape: [Int], axis: Int) in
      [true, false].map { keeps in
        Case("\(kind.rawValue) \(shape) axis \(axis) keeps \(keeps)", [shape]) {
          Reduce(kind, $0[0], axis: axis, keepsAxis: keeps)
        }
      }
    }
  }

  static let shaping: [Case] = [
    Case("reshape", [[2, 3, 4]]) { Reshape($0[0], shape: [4, 6]) },
    Case("reshape of nothing", [[2, 0]]) { Reshape($0[0], shape: [0, 5]) },
    Case("expand_dims", [[2, 3]]) { ExpandDims($0[0], axes: [0, 2]) },
    Case("transpose 2", [[2, 3]]) { Transpose($0[0], permutation: [1, 0]) },
    Case("transpose 4", [[2, 3, 4, 5]]) { Transpose($0[0], permutation: [0, 2, 1, 3]) },
    Case("transpose all", [[2, 3, 4, 5]]) { Transpose($0[0], permutation: [3, 1, 0, 2]) },
    Case("transpose scalar", [[]]) { Transpose($0[0], permutation: []) },
    Case("transpose of nothing", [[2, 0]]) { Transpose($0[0], permutation: [1, 0]) },
    Case("slice rows", [[5, 3]]) { SliceByIndex($0[0], begin: [1, 0], end: [4, 3]) },
    Case("slice columns", [[5, 3]]) { SliceByIndex($0[0], begin: [0, 1], end: [5, 3]) },
    Case("slice one column", [[5, 3]]) {
      SliceByIndex($0[0], begin: [0, 1], end: [5, 2], squeezedAxes: [1])
    },
    Case("slice in the middle", [[2, 5, 3]]) {
      SliceByIndex($0[0], begin: [0, 2, 0], end: [2, 3, 3], squeezedAxes: [1])
    },
    Case("slice of one batch", [[2, 5, 3]]) {
      SliceByIndex($0[0], begin: [1, 2, 0], end: [2, 4, 3], squeezedAxes: [0])
    },
    Case("slice one element", [[2, 5, 3]]) {
      SliceByIndex($0[0], begin: [1, 2, 1], end: [2, 3, 2], squeezedAxes: [0, 1, 2])
    },
  ]

  static let lookups: [Case] = [
    Case(
      "gather", types: [ValueType(.float32, [7, 3]), ValueType(.int32, [2, 4])], integers: 0...6
    ) { Gather($0[0], indices: $0[1]) },
    Case(
      "gather by a scalar", types: [ValueType(.float32, [7, 3]), ValueType(.int32, [])],
      integers: 0...6
    ) { Gather($0[0], indices: $0[1]) },
    Case(
      "gather integers", types: [ValueType(.int32, [4]), ValueType(.int32, [9])], integers: 0...3
    ) { Gather($0[0], indices: $0[1]) },
    Case(
      "gather nothing", types: [ValueType(.float32, [7, 3]), ValueType(.int32, [0])],
      integers: 0...6
    ) { Gather($0[0], indices: $0[1]) },
    Case("cast to int32", types: [ValueType(.float32, [9])]) { Cast($0[0], to: .int32) },
    Case("cast to float", types: [ValueType(.int32, [9])]) { Cast($0[0], to: .float32) },
    Case("cast to bool", types: [ValueType(.int32, [9])]) { Cast($0[0], to: .bool) },
    Case("cast float to bool", types: [ValueType(.float32, [9])]) { Cast($0[0], to: .bool) },
    Case("cast to itself", types: [ValueType(.int32, [9])]) { Cast($0[0], to: .int32) },
  ]

  static let bounds: [Case] = shapes.flatMap { shape in
    [
      Case("clip \(shape)", [shape]) { Clip($0[0], lowest: -0.5, highest: 1) },
      Case("clip \(shape) to one number", [shape]) { Clip($0[0], lowest: 0.25, highest: 0.25) },
      Case("clip \(shape) above", [shape]) { Clip($0[0], lowest: -.infinity, highest: 0) },
    ]
  }

  static let comparisons: [Case] = Comparison.Kind.allCases.flatMap { kind in
    pairs.flatMap { shapes in
      [
        Case("\(kind.rawValue) \(shapes)", shapes) { Comparison(kind, $0[0], $0[1]) },
        // Few values, so that many are equal.
        Case(
          "\(kind.rawValue) int32 \(shapes)", types: shapes.map { ValueType(.int32, $0) },
          integers: -1...1
        ) { Comparison(kind, $0[0], $0[1]) },
      ]
    }
  }

  static let tiles: [Case] = [
    ([], []), ([3], [1]), ([3], [4]), ([2, 3], [2, 1]), ([2, 3], [1, 2]), ([2, 3], [3, 2]),
    ([2, 1, 5], [2, 3, 2]), ([0, 3], [2, 2]), ([1, 1, 1, 17], [1, 3, 5, 1]),
  ].flatMap { (shape: [Int], repetitions: [Int]) in
    [ScalarType.float32, .int32].map { scalar in
      Case("tile \(scalar) \(shape) by \(repetitions)", [shape], scalar: scalar) {
        Tile($0[0], repetitions: repetitions)
      }
    }
  }

  static let sums: [Case] = [([3], 0), ([2, 3], 0), ([2, 3], 1), ([2, 3, 5], 1), ([0, 3], 1)]
    .flatMap {
      (shape: [Int], axis: Int) in
      [ScalarType.float32, .int32].map { scalar in
        Case("sums \(scalar) \(shape) along \(axis)", [shape], scalar: scalar) {
          CumulativeSum($0[0], axis: axis)
        }
      }
    }

  static let products: [Case] =
    [
      [[3, 4], [5, 4]], [[1, 1], [1, 1]], [[2, 3, 40], [7, 40]], [[4], [3, 4]], [[0, 4], [3, 4]],
    ]
    .flatMap { (shapes: [[Int]]) in
      [
        Case("linear \(shapes)", shapes) { Linear($0[0], weight: $0[1], bias: nil) },
        Case("linear \(shapes) with bias", shapes + [[shapes[1][0]]]) {
          Linear($0[0], weight: $0[1], bias: $0[2])
        },
      ]
    } + [
      Case("linear without inputs", [[3, 0], [5, 0], [5]]) {
        Linear($0[0], weight: $0[1], bias: $0[2])
      },
      Case("matmul", [[3, 4], [4, 5]]) { Matmul($0[0], $0[1]) },
      Case("matmul Xᵀ", [[4, 3], [4, 5]]) { Matmul($0[0], $0[1], transposeX: true) },
      Case("matmul Yᵀ", [[3, 4], [5, 4]]) { Matmul($0[0], $0[1], transposeY: true) },
      Case("matmul XᵀYᵀ", [[2, 4, 3], [2, 5, 4]]) {
        Matmul($0[0], $0[1], transposeX: true, transposeY: true)
      },
      Case("matmul in batches", [[2, 1, 3, 4], [5, 4, 6]]) { Matmul($0[0], $0[1]) },
      Case("matmul rows by one matrix", [[2, 3, 4], [4, 6]]) { Matmul($0[0], $0[1]) },
      Case("matmul one matrix by batches", [[3, 4], [2, 4, 6]]) { Matmul($0[0], $0[1]) },
      Case("matmul of nothing", [[3, 0], [0, 5]]) { Matmul($0[0], $0[1]) },
    ]

  static let attention: [Case] =
    [
      [[1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1], []],
      [[2, 3, 5, 4], [2, 3, 5, 4], [2, 3, 5, 4], [2, 1, 1, 5]],
      [[2, 3, 17, 32], [2, 3, 17, 32], [2, 3, 17, 32], [2, 1, 1, 17]],
      [[1, 2, 13, 33], [1, 2, 70, 33], [1, 2, 70, 33], [13, 70]],
      [[1, 2, 3, 64], [1, 2, 129, 64], [1, 2, 129, 64], [2, 3, 1]],
      [[2, 2, 0, 4], [2, 2, 3, 4], [2, 2, 3, 4], [3]],
      [[2, 2, 7, 5], [2, 2, 6, 5], [2, 2, 6, 5], [2, 2, 7, 6]],
    ].map { (shapes: [[Int]]) in
      Case("attention \(shapes)", shapes) {
        ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: $0[3])
      }
    }
    + [
      Case("attention without a mask", [[2, 3, 17, 32], [2, 3, 19, 32], [2, 3, 19, 32]]) {
        ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: nil)
      }
    ]

  static let joined: [Case] = [
    Case("concat of rows", [[2, 1, 5], [2, 3, 5]]) { Concat($0, axis: 1) },
    Case("concat of columns", [[2, 3], [2, 0], [2, 4]]) { Concat($0, axis: 1) },
    Case("concat first", [[2, 3], [1, 3]]) { Concat($0, axis: 0) },
  ]
}
