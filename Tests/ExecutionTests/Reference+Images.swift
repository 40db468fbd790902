import Graph

@testable import Execution

// Operations on the rows and columns of images.
extension Reference {
  func convolved(_ operation: Conv, _ inputs: [ReferenceTensor], _ place: [Int]) -> Double {
    let weight = inputs[1].shape
    let group = place[1] / (weight[0] / operation.groups)
    let sum = Reference.indices(Array(weight.dropFirst())).reduce(0.0) { sum, at in
      let channel = group * weight[1] + at[0]
      let pixel = source(operation.steps, inputs[0], place, Array(at[1...]), channel)
      return sum + (pixel ?? 0) * inputs[1][[place[1]] + at]
    }
    return sum + (operation.bias == nil ? 0 : inputs[2][[place[1]]])
  }

  func pooled(_ operation: Pool, _ x: ReferenceTensor, _ place: [Int]) -> Double {
    let pixels = Reference.indices(operation.window).compactMap {
      source(operation.steps, x, place, $0, place[1])
    }
    switch operation.kind {
    case .average: return pixels.reduce(0, +) / Double(pixels.count)
    case .max: return pixels.contains { $0.isNaN } ? .nan : pixels.max() ?? -.infinity
    }
  }

  func batchNorm(_ operation: BatchNorm, _ inputs: [ReferenceTensor], _ place: [Int]) -> Double {
    let part: [Double] = inputs[1...].map { $0[[place[1]]] }
    let deviation = (part[1] + Double(operation.epsilon)).squareRoot()
    return (inputs[0][place] - part[0]) / deviation * part[2] + part[3]
  }

  // The pixel under an element of the window; nil outside of the image.
  private func source(
    _ steps: WindowSteps, _ x: ReferenceTensor, _ place: [Int], _ at: [Int], _ channel: Int
  ) -> Double? {
    let pixel = (0..<2).map { (axis: Int) -> Int in
      let start: Int = place[axis + 2] * steps.strides[axis] - steps.padding[2 * axis]
      return start + at[axis] * steps.dilations[axis]
    }
    guard (0..<x.shape[2]).contains(pixel[0]), (0..<x.shape[3]).contains(pixel[1]) else {
      return nil
    }
    return x[[place[0], channel] + pixel]
  }
}
