import Weights

/// `reshape` to a concrete shape with the same number of elements.
package struct Reshape: Operation {
  package let x: Operand
  package let shape: [Int]

  package init(_ x: Operand, shape: [Int]) {
    self.x = x
    self.shape = shape
  }

  package var milName: String { "reshape" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    guard let count = CheckedSize.elementCount(of: shape) else {
      throw ShapeFault("\(shape) has more elements than fit")
    }
    guard count == inputs[0].elementCount else {
      throw ShapeFault(
        "\(inputs[0].shape) has \(inputs[0].elementCount) elements, \(shape) has \(count)")
    }
    return ValueType(inputs[0].scalar, shape)
  }
}

/// `transpose`: output axis i is input axis permutation[i].
package struct Transpose: Operation {
  package let x: Operand
  package let permutation: [Int]

  package init(_ x: Operand, permutation: [Int]) {
    self.x = x
    self.permutation = permutation
  }

  package var milName: String { "transpose" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    let shape = inputs[0].shape
    guard permutation.sorted() == Array(shape.indices) else {
      throw ShapeFault("\(permutation) is not a permutation of the axes of \(shape)")
    }
    return ValueType(inputs[0].scalar, permutation.map { shape[$0] })
  }
}

/// `expand_dims`: inserts axes of length 1 at the given places of the output.
package struct ExpandDims: Operation {
  package let x: Operand
  /// Places in the output shape, ascending.
  package let axes: [Int]

  package init(_ x: Operand, axes: [Int]) {
    self.x = x
    self.axes = axes
  }

  package var milName: String { "expand_dims" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    var shape = inputs[0].shape
    for axis in axes {
      guard axis >= 0, axis <= shape.count else {
        throw ShapeFault("axis \(axis) is outside \(shape)")
      }
      shape.insert(1, at: axis)
    }
    return ValueType(inputs[0].scalar, shape)
  }
}

/// `slice_by_index` with stride 1: begin[i] ..< end[i] on every axis; squeezed axes are dropped.
package struct SliceByIndex: Operation {
  package let x: Operand
  package let begin: [Int]
  package let end: [Int]
  /// Axes that are dropped from the result; each must have length 1 in it.
  package let squeezedAxes: [Int]

  package init(_ x: Operand, begin: [Int], end: [Int], squeezedAxes: [Int] = []) {
    self.x = x
    self.begin = begin
    self.end = end
    self.squeezedAxes = squeezedAxes
  }

  package var milName: String { "slice_by_index" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    let shape = inputs[0].shape
    guard begin.count == shape.count, end.count == shape.count else {
      throw ShapeFault("begin \(begin) and end \(end) do not match \(shape)")
    }
    var result: [Int] = []
    for axis in shape.indices {
      guard begin[axis] >= 0, begin[axis] < end[axis], end[axis] <= shape[axis] else {
        throw ShapeFault("\(begin[axis])..<\(end[axis]) is outside axis \(axis) of \(shape)")
      }
      let length = end[axis] - begin[axis]
      if squeezedAxes.contains(axis) {
        guard length == 1 else {
          throw ShapeFault("axis \(axis) has length \(length) and cannot be dropped")
        }
      } else {
        result.append(length)
      }
    }
    return ValueType(inputs[0].scalar, result)
  }
}

/// `cast` to another element type; to bool, anything but zero is true.
package struct Cast: Operation {
  package let x: Operand
  package let scalar: ScalarType

  package init(_ x: Operand, to scalar: ScalarType) {
    self.x = x
    self.scalar = scalar
  }

  package var milName: String { "cast" }
  package var operands: [(parameter: String, operand: Operand)] { [("x", x)] }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    ValueType(scalar, inputs[0].shape)
  }
}
