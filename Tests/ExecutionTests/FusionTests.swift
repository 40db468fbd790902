import Graph
import Testing
import Weights

@testable import Execution

/// Fused graphs against the same graphs run operation by operation, and against the reference.
struct FusionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let name: String
    /// Kernels that must be there when fused, by their types' names.
    let kernels: [String]
    let build: @Sendable (inout GraphBuilder) throws -> Operand
    var testDescription: String { name }
  }

  static func weight(_ name: TensorName, _ shape: [Int]) -> Operand {
    .weight(WeightReference(name, shape, role: .bias))
  }

  static func linear(_ x: Operand, _ name: String, _ inputs: Int, _ outputs: Int) -> Linear {
    Linear(x, weight: weight("\(name).w", [outputs, inputs]), bias: weight("\(name).b", [outputs]))
  }

  static let functions: [Case] = [
    function("gelu") { Gelu($0, mode: .exact) },
    function("gelu by tanh") { Gelu($0, mode: .tanhApproximation) },
    function("gelu by sigmoid") { Gelu($0, mode: .sigmoidApproximation) },
    function("relu") { ElementwiseUnary(.relu, $0) },
    function("tanh") { ElementwiseUnary(.tanh, $0) },
    function("sigmoid") { ElementwiseUnary(.sigmoid, $0) },
  ]

  static func function(
    _ name: String, _ function: @escaping @Sendable (Operand) -> any Operation
  ) -> Case {
    Case(name: "linear and \(name)", kernels: ["LinearKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [3, 5, 20]))
      let wide = try builder.append("wide", linear(x, "l", 20, 37))
      return try builder.append("active", function(wide))
    }
  }

  static let others: [Case] = [
    Case(name: "linear without bias and gelu", kernels: ["LinearKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [4, 20]))
      let wide = try builder.append(
        "wide", Linear(x, weight: weight("w", [9, 20]), bias: nil))
      return try builder.append("active", Gelu(wide, mode: .exact))
    },
    Case(name: "linear read twice", kernels: ["LinearKernel", "Gelu", "ElementwiseBinary"]) {
      builder in
      let x = builder.input("x", ValueType(.float32, [4, 20]))
      let wide = try builder.append("wide", linear(x, "l", 20, 8))
      let active = try builder.append("active", Gelu(wide, mode: .exact))
      return try builder.append("sum", ElementwiseBinary(.add, active, wide))
    },
    Case(name: "linear of a computed weight", kernels: ["Transpose", "LinearKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [4, 20]))
      let w = try builder.append(
        "turned", Transpose(weight("w", [20, 6]), permutation: [1, 0]))
      let y = try builder.append("y", Linear(x, weight: w, bias: nil))
      return try builder.append("active", ElementwiseUnary(.relu, y))
    },
    Case(name: "linear, add and layer_norm", kernels: ["LinearKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [2, 5, 24]))
      let y = try builder.append("y", linear(x, "l", 24, 24))
      let sum = try builder.append("sum", ElementwiseBinary(.add, y, x))
      return try builder.append("norm", norm(sum, "n", 24))
    },
    Case(name: "linear on the right of add", kernels: ["LinearKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [2, 5, 24]))
      let y = try builder.append("y", linear(x, "l", 24, 24))
      let sum = try builder.append("sum", ElementwiseBinary(.add, x, y))
      return try builder.append("norm", norm(sum, "n", 24))
    },
    Case(name: "two linears added", kernels: ["LinearKernel", "LinearKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [6, 24]))
      let y = try builder.append("y", linear(x, "l", 24, 24))
      let z = try builder.append("z", linear(x, "m", 24, 24))
      let sum = try builder.append("sum", ElementwiseBinary(.add, y, z))
      return try builder.append("norm", norm(sum, "n", 24))
    },
    Case(name: "a linear added to itself", kernels: ["LinearKernel", "AddNorm"]) { builder in
      let x = builder.input("x", ValueType(.float32, [6, 24]))
      let y = try builder.append("y", linear(x, "l", 24, 24))
      let sum = try builder.append("sum", ElementwiseBinary(.add, y, y))
      return try builder.append("norm", norm(sum, "n", 24))
    },
    Case(
      name: "a broadcast sum stays", kernels: ["LinearKernel", "ElementwiseBinary", "LayerNorm"]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [1, 24]))
      let z = builder.input("z", ValueType(.float32, [6, 24]))
      let y = try builder.append("y", linear(x, "l", 24, 24))
      let sum = try builder.append("sum", ElementwiseBinary(.add, y, z))
      return try builder.append("norm", norm(sum, "n", 24))
    },
    Case(
      name: "a sum read twice stays",
      kernels: ["LinearKernel", "ElementwiseBinary", "LayerNorm", "ElementwiseBinary"]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [6, 24]))
      let y = try builder.append("y", linear(x, "l", 24, 24))
      let sum = try builder.append("sum", ElementwiseBinary(.add, y, x))
      let normed = try builder.append("norm", norm(sum, "n", 24))
      return try builder.append("both", ElementwiseBinary(.mul, normed, sum))
    },
    Case(name: "add and layer_norm", kernels: ["AddNorm"]) { builder in
      let x = builder.input("x", ValueType(.float32, [6, 24]))
      let z = builder.input("z", ValueType(.float32, [6, 24]))
      let sum = try builder.append("sum", ElementwiseBinary(.add, x, z))
      return try builder.append("norm", norm(sum, "n", 24))
    },
    Case(name: "attention block", kernels: ["LinearKernel", "StridedAttention"]) { builder in
      try attentionBlock(&builder)
    },
    Case(
      name: "attention block whose query is read elsewhere",
      kernels: [
        "LinearKernel", "LinearKernel", "LinearKernel", "StridedAttention", "ElementwiseBinary",
      ]
    ) { builder in
      let block = try attentionBlock(&builder)
      return try builder.append("both", ElementwiseBinary(.add, block, .value("q")))
    },
    Case(
      name: "attention block that keeps its heads",
      kernels: [
        "LinearKernel", "Transpose", "LinearKernel", "Transpose", "LinearKernel", "Transpose",
        "ScaledDotProductAttention",
      ]
    ) { builder in
      _ = try attentionBlock(&builder)
      return .value("context")
    },
  ]

  /// x / √(mean(x²) + ε) · gain in the seven steps of a graph; `of` is what is divided, x if nil.
  static func rms(
    _ builder: inout GraphBuilder, _ x: Operand, of other: Operand? = nil, width: Int,
    gain: Operand
  ) throws -> Operand {
    let length = try builder.append("length", Reduce(.l2Norm, x, axis: 2, keepsAxis: true))
    let square = try builder.append("square", ElementwiseBinary(.mul, length, length))
    let mean = try builder.append(
      "mean", ElementwiseBinary(.mul, square, .literal(.float(1 / Float(width)))))
    let held = try builder.append("held", ElementwiseBinary(.add, mean, .literal(.float(1e-6))))
    let root = try builder.append("root", ElementwiseUnary(.sqrt, held))
    let even = try builder.append("even", ElementwiseBinary(.realDivision, other ?? x, root))
    return try builder.append("norm", ElementwiseBinary(.mul, even, gain))
  }

  static let rmsNorms: [Case] = [
    Case(name: "an rms norm", kernels: ["RMSNorm"]) { builder in
      let x = builder.input("x", ValueType(.float32, [2, 5, 37]))
      return try rms(&builder, x, width: 37, gain: weight("gain", [37]))
    },
    Case(name: "an rms norm of a gain above 1", kernels: ["ElementwiseBinary", "RMSNorm"]) {
      builder in
      let x = builder.input("x", ValueType(.float32, [2, 5, 24]))
      let gain = try builder.append(
        "gain", ElementwiseBinary(.add, weight("gain", [24]), .literal(.float(1))))
      return try rms(&builder, x, width: 24, gain: gain)
    },
    Case(
      name: "an rms norm whose root is read elsewhere",
      kernels: [
        "Reduce", "ElementwiseBinary", "ElementwiseBinary", "ElementwiseBinary",
        "ElementwiseUnary", "RMSNorm", "ElementwiseBinary",
      ]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [2, 5, 24]))
      let normed = try rms(&builder, x, width: 24, gain: weight("gain", [24]))
      return try builder.append("both", ElementwiseBinary(.add, normed, .value("root")))
    },
    Case(
      name: "a division by another's length stays",
      kernels: [
        "Reduce", "ElementwiseBinary", "ElementwiseBinary", "ElementwiseBinary",
        "ElementwiseUnary", "ElementwiseBinary", "ElementwiseBinary",
      ]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [2, 5, 24]))
      let y = builder.input("y", ValueType(.float32, [2, 5, 24]))
      return try rms(&builder, x, of: y, width: 24, gain: weight("gain", [24]))
    },
  ]

  static func norm(_ x: Operand, _ name: String, _ width: Int) -> LayerNorm {
    LayerNorm(
      x, gamma: weight("\(name).gamma", [width]), beta: weight("\(name).beta", [width]),
      epsilon: 1e-5)
  }

  // Batch 2, length 7, 3 heads of width 10.
  static func attentionBlock(_ builder: inout GraphBuilder) throws -> Operand {
    let x = builder.input("x", ValueType(.float32, [2, 7, 30]))
    let mask = builder.input("mask", ValueType(.float32, [2, 1, 1, 7]))
    var heads: [Operand] = []
    for part in ["q", "k", "v"] {
      let y = try builder.append(part, linear(x, part, 30, 30))
      let split = try builder.append("\(part)_split", Reshape(y, shape: [2, 7, 3, 10]))
      heads.append(
        try builder.append("\(part)_heads", Transpose(split, permutation: [0, 2, 1, 3])))
    }
    let context = try builder.append(
      "context",
      ScaledDotProductAttention(query: heads[0], key: heads[1], value: heads[2], mask: mask))
    let swapped = try builder.append("swapped", Transpose(context, permutation: [0, 2, 1, 3]))
    return try builder.append("joined", Reshape(swapped, shape: [2, 7, 30]))
  }

  @Test(arguments: functions + others + rmsNorms + branched + endings)
  func fusedEqualsUnfused(_ test: Case) throws {
    var builder = GraphBuilder()
    let output = try test.build(&builder)
    let graph = try builder.finish(output: output)
    let held = weights(for: graph, seed: 3)
    let values = inputs(for: graph, seed: 4)
    let fused = try Executor(weights: held, jobs: 1).run(graph, inputs: values)
    let plain = try Executor(weights: held, jobs: 1, fuses: false).run(graph, inputs: values)
    #expect(difference(fused, plain) <= 1e-5)
    #expect(difference(fused, try Reference(weights: held).run(graph, values)) <= 1e-5)
    let plan = try ExecutionPlanBuilder(weights: WeightStore(held), fuses: true).plan(graph)
    #expect(plan.steps.map { "\(type(of: $0.kernel))" } == test.kernels)
  }
}
