import Graph

/// Memory of one value or gradient, written by one thread.
@safe final class Numbers {
  let type: ValueType
  private let base: UnsafeMutableRawPointer

  /// All zero.
  init(_ type: ValueType) {
    self.type = type
    let byteCount = type.wordCount * Tensor.stride
    unsafe base = .allocate(byteCount: byteCount, alignment: Workspace.alignment)
    unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
  }

  /// The numbers of an input, as many as its type has.
  convenience init(_ type: ValueType, _ values: InputValues) {
    self.init(type)
    switch values {
    case .floats(let values):
      for (index, value) in values.enumerated() { unsafe tensor.floats[index] = value }
    case .doubles(let values):
      for (index, value) in values.enumerated() { unsafe tensor.doubles[index] = value }
    case .integers(let values):
      for (index, value) in values.enumerated() { unsafe tensor.integers[index] = value }
    }
  }

  deinit { unsafe base.deallocate() }

  var tensor: Tensor { unsafe Tensor(type, at: base) }

  /// Row-major; whole numbers and bools as floats.
  var floats: [Float] {
    let tensor = tensor
    return (0..<tensor.count).map { index in
      unsafe type.scalar == .float32 ? tensor.floats[index] : Float(tensor.integers[index])
    }
  }

  /// Adds as many floats as there are.
  func add(_ values: [Float]) {
    precondition(values.count == tensor.count, "a seed has one number for each of the output")
    for (index, value) in values.enumerated() { unsafe tensor.floats[index] += value }
  }
}
