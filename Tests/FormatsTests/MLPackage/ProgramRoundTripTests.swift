import Files
import Graph
import Testing
import WeightCompression
import Weights

@testable import Formats

/// Every operation and every kind of model, written and read back.
struct ProgramRoundTripTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    let inputs: [ValueType]
    var weights: [WeightReference] = []
    /// Makes the operation from the inputs, then the weights.
    let operation: @Sendable ([Operand]) -> any Operation
    /// The operations it reads back as, where they differ.
    var readsAs: [String]?
    var testDescription: String { name }

    init(
      _ name: String, _ inputs: [ValueType], weights: [WeightReference] = [],
      readsAs: [String]? = nil, _ operation: @escaping @Sendable ([Operand]) -> any Operation
    ) {
      self.name = name
      self.inputs = inputs
      self.weights = weights
      self.operation = operation
      self.readsAs = readsAs
    }

    func graph() throws -> ModelGraph {
      var builder = GraphBuilder()
      let operands =
        inputs.enumerated().map { builder.input("in\($0.offset)", $0.element) }
        + weights.map { .weight($0) }
      let result = try builder.append("result", operation(operands))
      return try builder.finish(output: result)
    }
  }

  static func floats(_ shape: Int...) -> ValueType { ValueType(.float32, shape) }
  static func integers(_ shape: Int...) -> ValueType { ValueType(.int32, shape) }
  static func bools(_ shape: Int...) -> ValueType { ValueType(.bool, shape) }

  static let linearWeights = [
    WeightReference("w", [4, 3], role: .matrix(outputAxis: 0)),
    WeightReference("b", [4], role: .bias),
  ]

  /// Behind a value of float16 the operation is itself, with or without a bias.
  @Test(arguments: [true, false], DeploymentTarget.allCases)
  func linearOfHalves(_ hasBias: Bool, _ target: DeploymentTarget) throws {
    var builder = GraphBuilder()
    let x = builder.input("x", Self.floats(2, 3))
    let half = try builder.append("half", Self.norm(x, width: 3))
    let bias = hasBias ? Operand.weight(Self.linearWeights[1]) : nil
    let linear = Linear(half, weight: .weight(Self.linearWeights[0]), bias: bias)
    let result = try builder.append("result", linear)
    let graph = try builder.finish(output: result)
    #expect(
      Self.lines(try RoundTrip(graph, target: target).read.graph).last
        == Self.line("result", linear, Self.floats(2, 4)))
  }

  /// A layer norm, which is always computed in float16.
  static func norm(_ x: Operand, width: Int) -> LayerNorm {
    func numbers(_ value: Float) -> Operand {
      .literal(.floats(Array(repeating: value, count: width), shape: [width]))
    }
    return LayerNorm(x, gamma: numbers(1), beta: numbers(0.5), epsilon: 1)
  }

  static let products: [Case] =
    [
      // In float32, as inputs are; see below for float16.
      Case(
        "linear", [floats(2, 3), floats(4, 3)],
        readsAs: [
          line("result", Matmul(.value("in0"), .value("in1"), transposeY: true), floats(2, 4))
        ]
      ) { Linear($0[0], weight: $0[1], bias: nil) },
      Case(
        "linear with weights", [floats(2, 7, 3)], weights: linearWeights,
        readsAs: [
          line(
            "result_product",
            Matmul(.value("in0"), .weight(linearWeights[0]), transposeY: true), floats(2, 7, 4)),
          line(
            "result",
            ElementwiseBinary(.add, .value("result_product"), .weight(linearWeights[1])),
            floats(2, 7, 4)),
        ]
      ) { Linear($0[0], weight: $0[1], bias: $0[2]) },
      Case(
        "gather", [integers(2, 3)], weights: [WeightReference("t", [9, 4], role: .tokenTable)]
      ) { Gather($0[1], indices: $0[0]) },
      Case("gather of a value", [floats(9, 4), integers()]) { Gather($0[0], indices: $0[1]) },
      Case(
        "layer_norm", [floats(2, 3)],
        weights: [
          WeightReference("g", [3], role: .norm), WeightReference("b", [3], role: .norm),
        ]
      ) { LayerNorm($0[0], gamma: $0[1], beta: $0[2], epsilon: 0x1p-10) },
      Case("softmax", [floats(2, 3)]) { Softmax($0[0]) },
      Case("softmax of another axis", [floats(2, 3, 4)]) { Softmax($0[0], axis: -3) },
      Case(
        "scaled_dot_product_attention",
        [floats(1, 2, 3, 4), floats(1, 2, 5, 4), floats(1, 2, 5, 4), floats(1, 1, 1, 5)],
        readsAs: [
          line(
            "result_query", ElementwiseBinary(.mul, .value("in0"), .literal(.float(0.5))),
            floats(1, 2, 3, 4)),
          line(
            "result_scores", Matmul(.value("result_query"), .value("in1"), transposeY: true),
            floats(1, 2, 3, 5)),
          line(
            "result_masked", ElementwiseBinary(.add, .value("result_scores"), .value("in3")),
            floats(1, 2, 3, 5)),
          line("result_shares", Softmax(.value("result_masked")), floats(1, 2, 3, 5)),
          line("result", Matmul(.value("result_shares"), .value("in2")), floats(1, 2, 3, 4)),
        ]
      ) { ScaledDotProductAttention(query: $0[0], key: $0[1], value: $0[2], mask: $0[3]) },
      Case("concat", [floats(1, 2, 3), floats(1, 1, 3)]) { Concat($0, axis: 1) },
    ]
    + [false, true].flatMap { x in
      [false, true].map { y in
        Case(
          "matmul \(x) \(y)",
          [x ? floats(2, 3, 4) : floats(2, 4, 3), y ? floats(5, 3) : floats(3, 5)]
        ) {
          Matmul($0[0], $0[1], transposeX: x, transposeY: y)
        }
      }
    }
    + [false, true].map { transposes in
      Case(
        "matmul with a weight \(transposes)", [floats(2, 3)],
        weights: [
          WeightReference(
            "w", transposes ? [4, 3] : [3, 4], role: .matrix(outputAxis: transposes ? 0 : 1))
        ]
      ) { Matmul($0[0], $0[1], transposeY: transposes) }
    }

  static let cases = elementwise + casts + shaping + reductions + products + images

  /// One node in words: name, operation with all it holds, type.
  static func line(_ name: String, _ operation: any Operation, _ type: ValueType) -> String {
    "\(name) = \(operation) → \(type)"
  }

  static func lines(_ graph: ModelGraph) -> [String] {
    graph.nodes.map { line($0.name, $0.operation, $0.type) }
  }

  @Test(arguments: cases, DeploymentTarget.allCases)
  func readsBackTheSame(_ test: Case, _ target: DeploymentTarget) throws {
    let graph = try test.graph()
    let read = try RoundTrip(graph, target: target).read.graph
    #expect(read.inputs == graph.inputs)
    #expect(Self.lines(read) == test.readsAs ?? Self.lines(graph))
    #expect(read.output == graph.output)
    #expect(read.outputType == graph.outputType)
  }

  /// A new operation needs a case here.
  @Test func everyOperationHasACase() throws {
    let tested = try Set(
      Self.cases.map { ObjectIdentifier(type(of: try $0.graph().nodes[0].operation)) })
    for type in CoreMLOperations.all {
      #expect(tested.contains(ObjectIdentifier(type)), "\(type) has no case")
    }
    let written = try Set(
      Self.cases.flatMap { try RoundTrip(try $0.graph()).operations.map(\.type) })
    // `linear` itself is written for float16 values only, which has a test of its own.
    let others: Set = ["squeeze", "scaled_dot_product_attention", "linear"]
    #expect(Set(CoreMLOperations.byName.keys).subtracting(written) == others)
  }

  @Test func castsBetweenFloatsVanish() throws {
    var builder = GraphBuilder()
    let x = builder.input("x", Self.floats(2, 3))
    let half = try builder.append("half", Cast(x, to: .float32))
    let result = try builder.append("result", ElementwiseUnary(.relu, half))
    let read = try RoundTrip(try builder.finish(output: result)).read.graph
    #expect(
      Self.lines(read) == [
        Self.line("result", ElementwiseUnary(.relu, .value("x")), Self.floats(2, 3))
      ])
  }

  /// Float16 has no smaller normal number.
  @Test(arguments: [1e-12, 1e-5, 0x1p-14] as [Float])
  func epsilonsAreRaised(_ epsilon: Float) throws {
    let test = Case("layer_norm", [Self.floats(2, 3), Self.floats(3), Self.floats(3)]) {
      LayerNorm($0[0], gamma: $0[1], beta: $0[2], epsilon: epsilon)
    }
    let node = try #require(try RoundTrip(try test.graph()).read.graph.nodes.first)
    #expect((node.operation as? LayerNorm)?.epsilon == 0x1p-14)
  }

  struct Precision: CustomTestStringConvertible, Sendable {
    let name: String
    let type: MILDataType
    /// Makes an operation from a value that is computed in float16.
    let operation: @Sendable (Operand) -> any Operation
    var testDescription: String { name }
  }

  static let precisions: [Precision] = [
    Precision(name: "sum", type: .float32) { Reduce(.sum, $0, axis: 1, keepsAxis: true) },
    Precision(name: "norm", type: .float32) { Reduce(.l2Norm, $0, axis: 1, keepsAxis: true) },
    Precision(name: "max", type: .float16) { Reduce(.max, $0, axis: 1, keepsAxis: true) },
    Precision(name: "relu", type: .float16) { ElementwiseUnary(.relu, $0) },
    Precision(name: "number", type: .float16) {
      ElementwiseBinary(.add, $0, .literal(.float(65504)))
    },
    Precision(name: "tiny number", type: .float32) {
      ElementwiseBinary(.maximum, $0, .literal(.float(1e-12)))
    },
    Precision(name: "huge number", type: .float32) {
      ElementwiseBinary(.mul, $0, .literal(.float(65505)))
    },
    Precision(name: "zero", type: .float16) {
      ElementwiseBinary(.maximum, $0, .literal(.float(0)))
    },
  ]

  /// Sums, norms and what meets a number that float16 cannot hold are float32.
  @Test(arguments: precisions) func precision(_ test: Precision) throws {
    var builder = GraphBuilder()
    let x = builder.input("x", Self.floats(2, 2))
    let half = try builder.append("half", Self.norm(x, width: 2))
    let result = try builder.append("result", test.operation(half))
    let operations = try RoundTrip(try builder.finish(output: result)).operations
    let made = operations.flatMap(\.outputs)
    func type(_ name: String) -> MILDataType? {
      made.first { $0.name == name }?.type.tensorType.dataType
    }
    #expect(type("half") == .float16)
    #expect(type("result") == test.type)
  }
}
