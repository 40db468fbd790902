/// Copies elements at regular strides into one dense row-major tensor.
struct StridedCopy {
  /// Axes of the output.
  let shape: [Int]
  /// Elements of the source from one to the next along each output axis.
  let strides: [Int]
  /// First element in the source.
  let offset: Int

  /// Elements from one to the next along each axis of a dense row-major tensor.
  static func denseStrides(_ shape: [Int]) -> [Int] {
    var strides = Array(repeating: 1, count: shape.count)
    for axis in shape.indices.dropLast().reversed() {
      strides[axis] = strides[axis + 1] * shape[axis + 1]
    }
    return strides
  }

  /// Copies all elements, as bits.
  func run(_ source: Tensor, _ output: Tensor) {
    let width = shape.last ?? 1, stride = strides.last ?? 1
    let count = shape.reduce(1, *)
    guard count > 0 else { return }
    var index = Array(repeating: 0, count: max(0, shape.count - 1))
    var place = offset
    for row in 0..<count / width {
      let from = unsafe source.integers + place, to = unsafe output.integers + row * width
      if stride == 1 {
        unsafe to.update(from: from, count: width)
      } else {
        for i in 0..<width { unsafe to[i] = from[i * stride] }
      }
      for axis in index.indices.reversed() {
        index[axis] += 1
        place += strides[axis]
        if index[axis] < shape[axis] { break }
        place -= index[axis] * strides[axis]
        index[axis] = 0
      }
    }
  }
}
