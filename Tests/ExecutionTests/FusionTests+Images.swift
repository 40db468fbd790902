import Graph
import Testing
import Weights

@testable import Execution

extension FusionTests {
  /// A convolution around its middle.
  private static func conv(
    _ x: Operand, _ name: String, _ weight: [Int], stride: Int = 1, groups: Int = 1,
    hasBias: Bool = false
  ) -> Conv {
    Conv(
      x, weight: self.weight("\(name).w", weight),
      bias: hasBias ? self.weight("\(name).b", [weight[0]]) : nil,
      steps: WindowSteps(
        strides: [stride, stride],
        padding: [weight[2] / 2, weight[2] / 2, weight[3] / 2, weight[3] / 2]), groups: groups)
  }

  // Random variances may be negative; with this ε none is.
  private static func batchNorm(_ x: Operand, _ name: String, _ channels: Int) -> BatchNorm {
    BatchNorm(
      x, mean: weight("\(name).mean", [channels]), variance: weight("\(name).variance", [channels]),
      gamma: weight("\(name).gamma", [channels]), beta: weight("\(name).beta", [channels]),
      epsilon: 8)
  }

  /// Two normed convolutions and the normed image, added up.
  private static func branches(
    _ builder: inout GraphBuilder, _ x: Operand, _ weight: [Int], groups: Int
  ) throws -> Operand {
    let large = try builder.append("large", conv(x, "l", weight, groups: groups, hasBias: true))
    let first = try builder.append("first", batchNorm(large, "f", weight[0]))
    let small = try builder.append(
      "small", conv(x, "s", Array(weight[..<2]) + [1, 1], groups: groups))
    let second = try builder.append("second", batchNorm(small, "g", weight[0]))
    let both = try builder.append("both", ElementwiseBinary(.add, first, second))
    let image = try builder.append("image", batchNorm(x, "i", weight[0]))
    return try builder.append("sum", ElementwiseBinary(.add, both, image))
  }

  static let branched: [Case] = [
    Case(name: "branches of single channels", kernels: ["BranchedConvKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [2, 6, 9, 7]))
      return try branches(&builder, x, [6, 1, 3, 5], groups: 6)
    },
    Case(name: "branches of all channels and an activation", kernels: ["BranchedConvKernel"]) {
      builder in
      let x = builder.input("x", ValueType(.float32, [2, 6, 8, 8]))
      let sum = try branches(&builder, x, [6, 6, 3, 3], groups: 1)
      return try builder.append("active", Gelu(sum, mode: .exact))
    },
    Case(name: "branches of groups of channels", kernels: ["BranchedConvKernel"]) { builder in
      let x = builder.input("x", ValueType(.float32, [1, 6, 5, 5]))
      return try branches(&builder, x, [6, 3, 3, 3], groups: 2)
    },
    Case(name: "the image and what a gain changes in it", kernels: ["BranchedConvKernel"]) {
      builder in
      let x = builder.input("x", ValueType(.float32, [2, 6, 9, 7]))
      let mixed = try branches(&builder, x, [6, 1, 3, 3], groups: 6)
      let own = try builder.append("own", batchNorm(x, "o", 6))
      let change = try builder.append("change", ElementwiseBinary(.sub, mixed, own))
      let scaled = try builder.append(
        "scaled", ElementwiseBinary(.mul, weight("gain", [6, 1, 1]), change))
      return try builder.append("result", ElementwiseBinary(.add, x, scaled))
    },
    Case(name: "branches to half the size, more channels", kernels: ["BranchedConvKernel"]) {
      builder in
      let x = builder.input("x", ValueType(.float32, [2, 3, 9, 8]))
      let large = try builder.append("large", conv(x, "l", [6, 1, 7, 7], stride: 2, groups: 3))
      let small = try builder.append("small", conv(x, "s", [6, 1, 3, 3], stride: 2, groups: 3))
      return try builder.append("sum", ElementwiseBinary(.sub, large, small))
    },
    Case(
      name: "convolutions of two images stay apart",
      kernels: ["ConvKernel", "ConvKernel"]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [1, 4, 6, 6]))
      let z = builder.input("z", ValueType(.float32, [1, 4, 6, 6]))
      let first = try builder.append("first", conv(x, "f", [4, 1, 3, 3], groups: 4))
      let second = try builder.append("second", conv(z, "s", [4, 1, 3, 3], groups: 4))
      return try builder.append("sum", ElementwiseBinary(.add, first, second))
    },
    Case(
      name: "a branch that is read elsewhere stays",
      kernels: ["ConvKernel", "ConvKernel", "ElementwiseBinary"]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [1, 4, 6, 6]))
      let first = try builder.append("first", conv(x, "f", [4, 1, 3, 3], groups: 4))
      let second = try builder.append("second", conv(x, "s", [4, 1, 1, 1], groups: 4))
      let sum = try builder.append("sum", ElementwiseBinary(.add, first, second))
      return try builder.append("result", ElementwiseBinary(.mul, sum, first))
    },
    Case(
      name: "a window that is not around its middle stays",
      kernels: ["ConvKernel", "ConvKernel"]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [1, 4, 6, 6]))
      let first = try builder.append("first", conv(x, "f", [4, 1, 3, 3], groups: 4))
      let second = try builder.append(
        "second",
        Conv(
          x, weight: weight("s", [4, 1, 2, 2]),
          steps: WindowSteps(strides: [1, 1], padding: [0, 1, 1, 0]), groups: 4))
      return try builder.append("sum", ElementwiseBinary(.add, first, second))
    },
    Case(
      name: "the image beside half its size stays", kernels: ["ConvKernel", "ConvKernel"]
    ) { builder in
      let x = builder.input("x", ValueType(.float32, [1, 4, 6, 6]))
      let first = try builder.append("first", conv(x, "f", [4, 1, 3, 3], stride: 2, groups: 4))
      let second = try builder.append("second", conv(x, "s", [4, 2, 3, 3], stride: 2, groups: 2))
      return try builder.append("sum", ElementwiseBinary(.add, first, second))
    },
  ]

  static let endings: [Case] = [1, 6].flatMap { groups in
    [
      Case(name: "gain and residual, \(groups) groups", kernels: ["ConvKernel"]) { builder in
        let x = builder.input("x", ValueType(.float32, [2, 6, 9, 7]))
        let z = builder.input("z", ValueType(.float32, [2, 6, 9, 7]))
        let y = try builder.append(
          "y", conv(x, "c", [6, 6 / groups, 3, 3], groups: groups, hasBias: true))
        let normed = try builder.append("normed", batchNorm(y, "n", 6))
        let scaled = try builder.append(
          "scaled", ElementwiseBinary(.mul, normed, weight("gain", [6, 1, 1])))
        return try builder.append("sum", ElementwiseBinary(.add, z, scaled))
      },
      Case(
        name: "an activation before the gain, \(groups) groups",
        kernels: ["ConvKernel", "ElementwiseBinary", "ElementwiseBinary"]
      ) { builder in
        let x = builder.input("x", ValueType(.float32, [1, 6, 5, 4]))
        let z = builder.input("z", ValueType(.float32, [1, 6, 5, 4]))
        let y = try builder.append("y", conv(x, "c", [6, 6 / groups, 1, 1], groups: groups))
        let active = try builder.append("active", ElementwiseUnary(.relu, y))
        let scaled = try builder.append(
          "scaled", ElementwiseBinary(.mul, active, weight("gain", [6, 1, 1])))
        return try builder.append("sum", ElementwiseBinary(.add, scaled, z))
      },
    ]
  }
}
