import Graph

/// Numbers that stay the same from run to run: a weight, weights joined, or a literal.
@safe final class Constant: Sendable {
  let count: Int
  // Written only before `init` returns and freed in `deinit`; read from many threads between.
  private nonisolated(unsafe) let base: UnsafeMutableRawPointer

  /// Copies floats.
  convenience init(_ values: [Float]) {
    self.init(count: values.count) { memory in
      for (index, value) in values.enumerated() { unsafe memory.floats[index] = value }
    }
  }

  /// Takes a literal's numbers.
  convenience init(_ literal: Literal) {
    switch literal {
    case .floats(let values, _): self.init(values)
    case .integers(let values, _):
      self.init(count: values.count) { memory in
        for (index, value) in values.enumerated() { unsafe memory.integers[index] = value }
      }
    }
  }

  /// Lets a closure write all elements.
  init<Failure: Error>(count: Int, _ fill: (Tensor) throws(Failure) -> Void) throws(Failure) {
    self.count = count
    unsafe base = .allocate(byteCount: count * Tensor.stride, alignment: Workspace.alignment)
    unsafe try fill(Tensor(ValueType(.float32, [count]), at: base))
  }

  deinit { unsafe base.deallocate() }

  /// The elements from `offset` on as a tensor, which must not be written to.
  func tensor(_ type: ValueType, offset: Int) -> Tensor {
    precondition(offset + type.elementCount <= count, "the tensor is larger than its memory")
    return unsafe Tensor(type, at: base + offset * Tensor.stride)
  }
}
