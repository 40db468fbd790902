import Graph
import Testing

@testable import Execution

// What operations on images are run on.
extension OperationTests {
  static let images: [Case] = convolutions + norms + pools

  /// A convolution to test: sizes, steps and groups.
  struct Convolution: Sendable {
    let x: [Int]
    let weight: [Int]
    var steps = WindowSteps(strides: [1, 1])
    var groups = 1
  }

  private static let sizes: [Convolution] = [
    // Patches, overlaps, leaps.
    Convolution(x: [2, 3, 8, 12], weight: [7, 3, 4, 4], steps: WindowSteps(strides: [4, 4])),
    Convolution(x: [1, 2, 9, 7], weight: [3, 2, 4, 2], steps: WindowSteps(strides: [2, 1])),
    Convolution(x: [2, 1, 7, 7], weight: [2, 1, 1, 1], steps: WindowSteps(strides: [3, 2])),
    // One pixel: no patches are made.
    Convolution(x: [2, 5, 3, 4], weight: [6, 5, 1, 1]),
    // Zeros around, different on each side, and more than the window.
    Convolution(
      x: [2, 3, 5, 6], weight: [4, 3, 3, 3],
      steps: WindowSteps(strides: [2, 2], padding: [0, 1, 2, 1])),
    Convolution(
      x: [1, 2, 2, 3], weight: [3, 2, 3, 2],
      steps: WindowSteps(strides: [1, 3], padding: [4, 0, 5, 3])),
    Convolution(
      x: [1, 2, 9, 8], weight: [3, 2, 3, 2],
      steps: WindowSteps(strides: [1, 2], padding: [1, 2, 3, 0], dilations: [2, 3])),
    // Groups of several channels.
    Convolution(
      x: [2, 6, 5, 4], weight: [4, 3, 3, 3],
      steps: WindowSteps(strides: [1, 1], padding: [1, 1, 1, 1]), groups: 2),
    Convolution(x: [1, 4, 3, 3], weight: [6, 2, 1, 1], groups: 2),
    // Groups of one channel, each giving one, two or three.
    Convolution(
      x: [2, 3, 7, 7], weight: [3, 1, 3, 3],
      steps: WindowSteps(strides: [1, 1], padding: [1, 1, 1, 1]), groups: 3),
    Convolution(
      x: [1, 2, 11, 19], weight: [4, 1, 5, 5],
      steps: WindowSteps(strides: [2, 2], padding: [2, 2, 2, 2]), groups: 2),
    Convolution(
      x: [2, 2, 6, 33], weight: [6, 1, 3, 4],
      steps: WindowSteps(strides: [1, 3], padding: [0, 3, 5, 2]), groups: 2),
    Convolution(
      x: [1, 3, 9, 12], weight: [3, 1, 3, 3],
      steps: WindowSteps(strides: [2, 3], padding: [1, 2, 4, 1], dilations: [2, 2]), groups: 3),
    Convolution(
      x: [1, 2, 1, 2], weight: [2, 1, 7, 7],
      steps: WindowSteps(strides: [1, 1], padding: [3, 3, 3, 3]), groups: 2),
    // A window wider than the loops for single channels take.
    Convolution(x: [1, 2, 2, 70], weight: [2, 1, 1, 65], groups: 2),
  ]

  private static let convolutions: [Case] = sizes.flatMap { size in
    [
      Case("conv \(size)", [size.x, size.weight]) {
        Conv($0[0], weight: $0[1], steps: size.steps, groups: size.groups)
      },
      Case("conv with bias \(size)", [size.x, size.weight, [size.weight[0]]]) {
        Conv($0[0], weight: $0[1], bias: $0[2], steps: size.steps, groups: size.groups)
      },
    ]
  }

  private static let norms: [Case] = [[2, 3, 5], [1, 4, 3, 9], [2, 1, 1, 17]].map { shape in
    Case("batch_norm \(shape)", [shape, [shape[1]], [shape[1]], [shape[1]], [shape[1]]]) {
      // Random variances may be negative; with this ε none is.
      BatchNorm($0[0], mean: $0[1], variance: $0[2], gamma: $0[3], beta: $0[4], epsilon: 8)
    }
  }

  private static let pools: [Case] =
    Pool.Kind.allCases.flatMap { kind in
      [
        ([2, 3, 6, 8], [2, 2], WindowSteps(strides: [2, 2])),
        ([1, 2, 7, 5], [3, 2], WindowSteps(strides: [2, 1])),
        ([1, 2, 5, 6], [3, 3], WindowSteps(strides: [2, 2], padding: [1, 1, 0, 2])),
        ([2, 3, 5, 7], [5, 7], WindowSteps(strides: [1, 1])),
      ].map { (x: [Int], window: [Int], steps: WindowSteps) in
        Case("\(kind.rawValue) \(window) \(steps) of \(x)", [x]) {
          Pool(kind, $0[0], window: window, steps: steps)
        }
      }
    } + shapes.map { shape in Case("sigmoid_hard \(shape)", [shape]) { SigmoidHard($0[0]) } }
}
