import Graph
import TestSupport
import Testing

/// Shape inference of every operation: what it gives, and how it refuses by name.
struct OperationTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let inputs: [ValueType]
    /// Makes the operation from the inputs as operands.
    let operation: @Sendable ([Operand]) -> any Operation
    let expected: String

    var testDescription: String { name }
  }

  static func floats(_ shape: Int...) -> ValueType { ValueType(.float32, shape) }
  static func integers(_ shape: Int...) -> ValueType { ValueType(.int32, shape) }

  static let cases: [Case] = [
    Case(
      name: "broadcast", inputs: [floats(2, 1, 4), floats(3, 1)],
      operation: { ElementwiseBinary(.add, $0[0], $0[1]) }, expected: "fp32 [2, 3, 4]"),
    Case(
      name: "no broadcast", inputs: [floats(2, 3), floats(4)],
      operation: { ElementwiseBinary(.mul, $0[0], $0[1]) },
      expected: "mul 'out': shapes [2, 3] and [4] do not broadcast"),
    Case(
      name: "mixed types", inputs: [floats(2), integers(2)],
      operation: { ElementwiseBinary(.sub, $0[0], $0[1]) },
      expected: "sub 'out': 'x' is fp32 [2], 'y' is int32 [2]; both must be numbers of one type"),
    Case(
      name: "unary", inputs: [floats(5)], operation: { ElementwiseUnary(.tanh, $0[0]) },
      expected: "fp32 [5]"),
    Case(
      name: "unary of integers", inputs: [integers(5)],
      operation: { ElementwiseUnary(.relu, $0[0]) },
      expected: "relu 'out': 'x' is int32 [5], expected floats"),
    Case(
      name: "gelu", inputs: [floats(2, 3)], operation: { Gelu($0[0], mode: .exact) },
      expected: "fp32 [2, 3]"),
    Case(
      name: "linear", inputs: [floats(2, 7, 3), floats(5, 3), floats(5)],
      operation: { Linear($0[0], weight: $0[1], bias: $0[2]) }, expected: "fp32 [2, 7, 5]"),
    Case(
      name: "linear of another width", inputs: [floats(2, 4), floats(5, 3)],
      operation: { Linear($0[0], weight: $0[1], bias: nil) },
      expected:
        "linear 'out': 'x' is [2, 4], 'weight' is [5, 3]; the last axis of both must be equal"),
    Case(
      name: "linear with a short bias", inputs: [floats(2, 3), floats(5, 3), floats(4)],
      operation: { Linear($0[0], weight: $0[1], bias: $0[2]) },
      expected: "linear 'out': 'bias' is [4], expected [5]"),
    Case(
      name: "matmul", inputs: [floats(6, 1, 2, 3), floats(4, 3, 5)],
      operation: { Matmul($0[0], $0[1]) }, expected: "fp32 [6, 4, 2, 5]"),
    Case(
      name: "matmul transposed", inputs: [floats(2, 3), floats(5, 3)],
      operation: { Matmul($0[0], $0[1], transposeY: true) }, expected: "fp32 [2, 5]"),
    Case(
      name: "matmul of other inner axes", inputs: [floats(2, 3), floats(4, 5)],
      operation: { Matmul($0[0], $0[1]) },
      expected: "matmul 'out': [2, 3] times [4, 5]: inner axes 3 and 4 differ"),
    Case(
      name: "layer norm", inputs: [floats(2, 3), floats(3), floats(3)],
      operation: { LayerNorm($0[0], gamma: $0[1], beta: $0[2], epsilon: 1e-5) },
      expected: "fp32 [2, 3]"),
    Case(
      name: "layer norm with another gamma", inputs: [floats(2, 3), floats(2), floats(3)],
      operation: { LayerNorm($0[0], gamma: $0[1], beta: $0[2], epsilon: 1e-5) },
      expected: "layer_norm 'out': 'gamma' is [2], expected [3]"),
    Case(
      name: "softmax beyond the rank", inputs: [floats(2)],
      operation: { Softmax($0[0], axis: -2) },
      expected: "softmax 'out': axis -2 is outside [2]"),
    Case(
      name: "gather", inputs: [floats(10, 4), integers(2, 3)],
      operation: { Gather($0[0], indices: $0[1]) }, expected: "fp32 [2, 3, 4]"),
    Case(
      name: "gather by floats", inputs: [floats(10, 4), floats(2)],
      operation: { Gather($0[0], indices: $0[1]) },
      expected: "gather 'out': 'indices' is fp32 [2], expected int32"),
    Case(
      name: "reshape", inputs: [floats(2, 6)], operation: { Reshape($0[0], shape: [3, 4]) },
      expected: "fp32 [3, 4]"),
    Case(
      name: "reshape to another count", inputs: [floats(2, 6)],
      operation: { Reshape($0[0], shape: [5]) },
      expected: "reshape 'out': [2, 6] has 12 elements, [5] has 5"),
    Case(
      name: "transpose", inputs: [floats(2, 3, 4)],
      operation: { Transpose($0[0], permutation: [2, 0, 1]) }, expected: "fp32 [4, 2, 3]"),
    Case(
      name: "transpose by no permutation", inputs: [floats(2, 3)],
      operation: { Transpose($0[0], permutation: [0, 0]) },
      expected: "transpose 'out': [0, 0] is not a permutation of the axes of [2, 3]"),
    Case(
      name: "expand", inputs: [floats(2, 3)], operation: { ExpandDims($0[0], axes: [1, 2]) },
      expected: "fp32 [2, 1, 1, 3]"),
    Case(
      name: "slice", inputs: [floats(2, 3, 4)],
      operation: { SliceByIndex($0[0], begin: [0, 1, 0], end: [2, 2, 4], squeezedAxes: [1]) },
      expected: "fp32 [2, 4]"),
    Case(
      name: "slice beyond the end", inputs: [floats(2, 3)],
      operation: { SliceByIndex($0[0], begin: [0, 0], end: [2, 4]) },
      expected: "slice_by_index 'out': 0..<4 is outside axis 1 of [2, 3]"),
    Case(
      name: "slice that drops a long axis", inputs: [floats(2, 3)],
      operation: { SliceByIndex($0[0], begin: [0, 0], end: [2, 3], squeezedAxes: [0]) },
      expected: "slice_by_index 'out': axis 0 has length 2 and cannot be dropped"),
    Case(
      name: "cast", inputs: [integers(2)], operation: { Cast($0[0], to: .bool) },
      expected: "bool [2]"),
    Case(
      name: "reduce", inputs: [floats(2, 3, 4)],
      operation: { Reduce(.sum, $0[0], axis: 1, keepsAxis: false) }, expected: "fp32 [2, 4]"),
    Case(
      name: "reduce an empty axis", inputs: [floats(2, 0)],
      operation: { Reduce(.max, $0[0], axis: 1, keepsAxis: true) },
      expected: "reduce_max 'out': axis 1 is outside [2, 0] or empty"),
    Case(
      name: "select", inputs: [ValueType(.bool, [2, 1]), floats(2, 3), floats()],
      operation: { Select($0[0], $0[1], else: $0[2]) }, expected: "fp32 [2, 3]"),
    Case(
      name: "select by floats", inputs: [floats(2), floats(2), floats(2)],
      operation: { Select($0[0], $0[1], else: $0[2]) },
      expected: "select 'out': 'cond' is fp32 [2], 'a' is fp32 [2], 'b' is fp32 [2]"),
    Case(
      name: "attention",
      inputs: [floats(2, 4, 7, 8), floats(2, 4, 7, 8), floats(2, 4, 7, 8), floats(2, 1, 1, 7)],
      operation: {
        ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: $0[3])
      }, expected: "fp32 [2, 4, 7, 8]"),
    Case(
      name: "attention with another mask",
      inputs: [floats(2, 4, 7, 8), floats(2, 4, 7, 8), floats(2, 4, 7, 8), floats(2, 1, 1, 6)],
      operation: {
        ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: $0[3])
      },
      expected:
        "scaled_dot_product_attention 'out': shapes [2, 1, 1, 6] and [2, 4, 7, 7] do not broadcast"
    ),
    Case(
      name: "attention without a mask",
      inputs: [floats(2, 4, 7, 8), floats(2, 4, 7, 8), floats(2, 4, 7, 8)],
      operation: {
        ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: nil)
      }, expected: "fp32 [2, 4, 7, 8]"),
    Case(
      name: "conv", inputs: [floats(2, 3, 9, 8), floats(5, 3, 4, 2)],
      operation: { Conv($0[0], weight: $0[1], strides: [2, 3]) }, expected: "fp32 [2, 5, 3, 3]"),
    Case(
      name: "conv of other channels", inputs: [floats(2, 3, 9, 8), floats(5, 1, 4, 2)],
      operation: { Conv($0[0], weight: $0[1], strides: [1, 1]) },
      expected: "conv 'out': 'x' has 3 channels, 'weight' is [5, 1, 4, 2], 'groups' is 1; "
        + "these do not fit"),
    Case(
      name: "conv of less than a patch", inputs: [floats(2, 3, 3, 8), floats(5, 3, 4, 2)],
      operation: { Conv($0[0], weight: $0[1], strides: [1, 1]) },
      expected: "conv 'out': a window of 4 does not fit an image of 3 on axis 2"),
    Case(
      name: "conv that stands still", inputs: [floats(2, 3, 4, 8), floats(5, 3, 4, 2)],
      operation: { Conv($0[0], weight: $0[1], strides: [0, 1]) },
      expected: "conv 'out': 'strides' is [0, 1], expected two numbers from 1 on"),
    Case(
      name: "concat", inputs: [floats(2, 3), floats(2, 1)],
      operation: { Concat($0, axis: 1) }, expected: "fp32 [2, 4]"),
    Case(
      name: "concat of other rows", inputs: [floats(2, 3), floats(1, 3)],
      operation: { Concat($0, axis: 1) },
      expected: "concat 'out': fp32 [1, 3] does not continue fp32 [2, 3] along axis 1"),
    Case(
      name: "concat of other types", inputs: [floats(2), integers(2)],
      operation: { Concat($0, axis: 0) },
      expected: "concat 'out': int32 [2] does not continue fp32 [2] along axis 0"),
    Case(
      name: "concat along no axis", inputs: [floats(2), floats(2)],
      operation: { Concat($0, axis: 1) }, expected: "concat 'out': axis 1 is outside [2]"),
    Case(
      name: "reshape to more than fits", inputs: [floats(2, 6)],
      operation: { Reshape($0[0], shape: [1 << 31, 1 << 31, 1 << 31]) },
      expected: "reshape 'out': [2147483648, 2147483648, 2147483648] has more elements than fit"),
    Case(
      name: "tile", inputs: [floats(2, 3)], operation: { Tile($0[0], repetitions: [3, 1]) },
      expected: "fp32 [6, 3]"),
    Case(
      name: "tile integers", inputs: [integers(2)], operation: { Tile($0[0], repetitions: [4]) },
      expected: "int32 [8]"),
    Case(
      name: "tile a scalar", inputs: [floats()], operation: { Tile($0[0], repetitions: []) },
      expected: "fp32 []"),
    Case(
      name: "tile of another rank", inputs: [floats(2, 3)],
      operation: { Tile($0[0], repetitions: [2]) },
      expected: "tile 'out': [2] does not repeat the axes of [2, 3]"),
    Case(
      name: "tile no times", inputs: [floats(2)], operation: { Tile($0[0], repetitions: [0]) },
      expected: "tile 'out': [0] does not repeat the axes of [2]"),
    Case(
      name: "tile too often", inputs: [floats(2)], operation: { Tile($0[0], repetitions: [.max]) },
      expected: "tile 'out': [2] times [9223372036854775807] is too large"),
    Case(
      name: "clip", inputs: [floats(2, 3)],
      operation: { Clip($0[0], lowest: 0, highest: 6) }, expected: "fp32 [2, 3]"),
    Case(
      name: "clip integers", inputs: [integers(2)],
      operation: { Clip($0[0], lowest: 0, highest: 6) },
      expected: "clip 'out': 'x' is int32 [2], expected floats"),
    Case(
      name: "comparison", inputs: [floats(2, 1), floats(3)],
      operation: { Comparison(.greaterOrEqual, $0[0], $0[1]) }, expected: "bool [2, 3]"),
    Case(
      name: "comparison of integers", inputs: [integers(2), integers()],
      operation: { Comparison(.less, $0[0], $0[1]) }, expected: "bool [2]"),
    Case(
      name: "comparison of two types", inputs: [floats(2), integers(2)],
      operation: { Comparison(.equal, $0[0], $0[1]) },
      expected: "equal 'out': 'x' is fp32 [2], 'y' is int32 [2]; both must be of one type"),
    Case(
      name: "comparison of two shapes", inputs: [floats(2), floats(3)],
      operation: { Comparison(.less, $0[0], $0[1]) },
      expected: "less 'out': shapes [2] and [3] do not broadcast"),
  ]

  @Test(arguments: cases)
  func inference(_ testCase: Case) {
    var graph = GraphBuilder()
    let operands = testCase.inputs.enumerated().map { graph.input("in\($0.offset)", $0.element) }
    do {
      let output = try graph.append("out", testCase.operation(operands))
      #expect(graph.type(of: output)?.description == testCase.expected)
    } catch {
      #expect("\(error)" == testCase.expected)
    }
  }

  @Test func aValueMustBeDefinedBeforeItIsRead() {
    var graph = GraphBuilder()
    let text = message { _ = try graph.append("y", ElementwiseUnary(.relu, .value("nothing"))) }
    #expect(text == "relu 'y': 'x' is not defined yet")
  }

  @Test func aNameIsGivenOnce() {
    var graph = GraphBuilder()
    let x = graph.input("x", Self.floats(2))
    let text = message { _ = try graph.append("x", ElementwiseUnary(.relu, x)) }
    #expect(text == "relu 'x': a value of this name is there already")
  }
}
