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
    forEachRow { row, place in
      let from = unsafe source.integers + place, to = unsafe output.integers + row * width
      if stride == 1 {
        unsafe to.update(from: from, count: width)
      } else {
        for i in 0..<width { unsafe to[i] = from[i * stride] }
      }
    }
  }

  /// Adds each float of the output to the one of the source that it was copied from.
  func addBack(_ output: Tensor, to source: Tensor) {
    let width = shape.last ?? 1, stride = strides.last ?? 1
    forEachRow { row, place in
      let from = unsafe output.floats + row * width, to = unsafe source.floats + place
      for i in 0..<width { unsafe to[i * stride] += from[i] }
    }
  }

  /// Rows of the output in their order, each with the place of its first element in the source.
  private func forEachRow(_ body: (_ row: Int, _ place: Int) -> Void) {
    let count = shape.reduce(1, *)
    guard count > 0 else { return }
    var index = Array(repeating: 0, count: max(0, shape.count - 1))
    var place = offset
    for row in 0..<count / (shape.last ?? 1) {
      body(row, place)
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
