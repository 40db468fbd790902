/// Walks an output shape and maps each of its elements to an element of each broadcast operand, by
/// numpy's rule.
struct Broadcast {
  /// Output axes, neighbours joined where every operand runs through them in one stride.
  private(set) var shape: [Int] = []
  /// Per operand and axis: elements from one to the next, 0 where the operand is repeated.
  private(set) var strides: [[Int]]

  /// - Parameters:
  ///   - output: the shape all operands broadcast to.
  ///   - operands: their shapes, with at most as many axes.
  init(_ output: [Int], _ operands: [[Int]]) {
    let full = operands.map { Broadcast.strides(of: $0, rank: output.count) }
    strides = Array(repeating: [], count: operands.count)
    for axis in output.indices where output[axis] != 1 {
      let isContinued = operands.indices.allSatisfy {
        strides[$0].last == full[$0][axis] * output[axis]
      }
      if let last = shape.last, isContinued {
        shape[shape.count - 1] = last * output[axis]
        for operand in operands.indices { strides[operand][shape.count - 1] = full[operand][axis] }
      } else {
        shape.append(output[axis])
        for operand in operands.indices { strides[operand].append(full[operand][axis]) }
      }
    }
    if shape.isEmpty {
      shape = [1]
      strides = Array(repeating: [0], count: operands.count)
    }
  }

  /// Elements of the output.
  var count: Int { shape.reduce(1, *) }
  /// Length of the innermost joined axis.
  var rowWidth: Int { shape[shape.count - 1] }
  /// Number of rows: elements of all axes but the innermost.
  var rowCount: Int { shape.dropLast().reduce(1, *) }

  /// Stride of an operand along the innermost axis: 1, or 0 where it is repeated.
  func rowStride(_ operand: Int) -> Int { strides[operand][shape.count - 1] }

  /// Each operand's element offset for an element of the output.
  func places(of element: Int) -> [Int] {
    var places = Array(repeating: 0, count: strides.count)
    var rest = element
    for axis in shape.indices.reversed() {
      let index = rest % shape[axis]
      rest /= shape[axis]
      for operand in strides.indices { places[operand] += index * strides[operand][axis] }
    }
    return places
  }

  /// Strides over `rank` axes, 0 where the shape is repeated.
  static func strides(of shape: [Int], rank: Int) -> [Int] {
    var strides = Array(repeating: 0, count: rank)
    var stride = 1
    for (axis, length) in shape.enumerated().reversed() {
      strides[rank - shape.count + axis] = length == 1 ? 0 : stride
      stride *= length
    }
    return strides
  }
}
