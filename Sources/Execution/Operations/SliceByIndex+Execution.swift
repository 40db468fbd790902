import Graph

extension SliceByIndex: ExecutableOperation {
  // A slice is contiguous if every axis after the first that is longer than 1 is whole.
  func viewOffset(_ inputs: [ValueType], _ output: ValueType) -> Int? {
    let shape = inputs[0].shape
    let lengths = zip(begin, end).map { $1 - $0 }
    let first = lengths.firstIndex { $0 > 1 } ?? lengths.count
    for axis in shape.indices where axis > first && lengths[axis] != shape[axis] { return nil }
    return offset(in: shape)
  }

  func execute(
    _ inputs: [Tensor], into output: Tensor, _ context: KernelContext
  ) throws(KernelFault) {
    copy(of: inputs[0].shape).run(inputs[0], output)
  }

  /// Where each element of the output comes from.
  func copy(of shape: [Int]) -> StridedCopy {
    StridedCopy(
      shape: zip(begin, end).map { $1 - $0 }, strides: StridedCopy.denseStrides(shape),
      offset: offset(in: shape))
  }

  private func offset(in shape: [Int]) -> Int {
    zip(begin, StridedCopy.denseStrides(shape)).reduce(0) { $0 + $1.0 * $1.1 }
  }
}
