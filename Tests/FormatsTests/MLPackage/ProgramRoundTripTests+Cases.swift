import Files
import Graph
import Testing
import WeightCompression
import Weights

@testable import Formats

// Operations that are written and read back.
extension ProgramRoundTripTests {
  static let elementwise: [Case] =
    ElementwiseBinary.Kind.allCases.flatMap { kind in
      [
        Case(kind.rawValue, [floats(2, 3), floats(3)]) { ElementwiseBinary(kind, $0[0], $0[1]) },
        Case("\(kind.rawValue) int32", [integers(2, 3), integers(2, 1)]) {
          ElementwiseBinary(kind, $0[0], $0[1])
        },
        // Fewer than ten numbers would lie in the program itself, and read as numbers of the graph.
        Case(
          "\(kind.rawValue) with a weight", [floats(4, 3)],
          weights: [WeightReference("w", [4, 3], role: .positionTable)]
        ) { ElementwiseBinary(kind, $0[1], $0[0]) },
        Case("\(kind.rawValue) with a number", [floats(2, 3)]) {
          ElementwiseBinary(kind, $0[0], .literal(.float(-0.375)))
        },
        // Float16 would make zero of it.
        Case("\(kind.rawValue) with a tiny number", [floats(2, 3)]) {
          ElementwiseBinary(kind, $0[0], .literal(.float(1e-12)))
        },
        Case("\(kind.rawValue) with integers", [integers(3)]) {
          ElementwiseBinary(kind, $0[0], .literal(.integers([7, -1, 1 << 30], shape: [3])))
        },
      ]
    }
    + ElementwiseUnary.Kind.allCases.map { kind in
      Case(kind.rawValue, [floats(2, 3)]) { ElementwiseUnary(kind, $0[0]) }
    }
    + Comparison.Kind.allCases.flatMap { kind in
      [
        Case(kind.rawValue, [floats(2, 3), floats(3)]) { Comparison(kind, $0[0], $0[1]) },
        Case("\(kind.rawValue) int32", [integers(4), integers(1)]) {
          Comparison(kind, $0[0], $0[1])
        },
      ]
    }
    + [Gelu.Mode.exact, .tanhApproximation, .sigmoidApproximation].map { mode in
      Case("gelu \(mode.rawValue)", [floats(2, 3)]) { Gelu($0[0], mode: mode) }
    }
    + [
      Case("cumsum", [floats(2, 3)]) { CumulativeSum($0[0], axis: 0) },
      Case("cumsum int32", [integers(2, 3)]) { CumulativeSum($0[0], axis: 1) },
      Case("clip", [floats(2, 3)]) { Clip($0[0], lowest: -0.5, highest: 6) },
      Case(
        "clip below", [floats(2, 3)],
        readsAs: [
          "result = Clip(x: Graph.Operand.value(\"in0\"), lowest: -3.4028235e+38, highest: 6.0) → fp32 [2, 3]"
        ]
      ) { Clip($0[0], lowest: -.infinity, highest: 6) },
      Case("select", [bools(2, 1), floats(2, 3), floats()]) { Select($0[0], $0[1], else: $0[2]) },
      Case("select int32", [bools(2), integers(2), integers(2)]) {
        Select($0[0], $0[1], else: $0[2])
      },
    ]

  static let casts: [Case] = [
    Case("cast int32 to float", [integers(3)]) { Cast($0[0], to: .float32) },
    Case("cast int32 to bool", [integers(3)]) { Cast($0[0], to: .bool) },
    Case("cast float to int32", [floats(3)]) { Cast($0[0], to: .int32) },
    Case("cast float to bool", [floats(3)]) { Cast($0[0], to: .bool) },
    Case("cast bool to float", [bools(3)]) { Cast($0[0], to: .float32) },
    Case("cast bool to int32", [bools(3)]) { Cast($0[0], to: .int32) },
  ]

  static let shaping: [Case] = [
    Case("expand_dims", [floats(2, 3)]) { ExpandDims($0[0], axes: [0, 2]) },
    Case("expand_dims of a scalar", [floats()]) { ExpandDims($0[0], axes: [0]) },
    Case("expand_dims int32", [integers(2)]) { ExpandDims($0[0], axes: [1]) },
    Case("reshape", [floats(2, 6)]) { Reshape($0[0], shape: [3, 1, 4]) },
    Case("reshape to a scalar", [floats(1, 1)]) { Reshape($0[0], shape: []) },
    Case("slice_by_index", [floats(4, 5)]) {
      SliceByIndex($0[0], begin: [1, 0], end: [3, 5])
    },
    Case("slice_by_index squeezed", [floats(4, 5, 6)]) {
      SliceByIndex($0[0], begin: [1, 0, 5], end: [2, 5, 6], squeezedAxes: [0, 2])
    },
    Case("tile", [floats(2, 3)]) { Tile($0[0], repetitions: [1, 4]) },
    Case("tile int32", [integers(2)]) { Tile($0[0], repetitions: [3]) },
    Case("transpose", [floats(2, 3, 4)]) { Transpose($0[0], permutation: [2, 0, 1]) },
  ]

  static let reductions: [Case] = Reduce.Kind.allCases.flatMap { kind in
    [true, false].map { keeps in
      Case("\(kind.rawValue) keeps \(keeps)", [floats(2, 3, 4)]) {
        Reduce(kind, $0[0], axis: 1, keepsAxis: keeps)
      }
    }
  }

}
