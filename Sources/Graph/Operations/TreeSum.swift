package import Trees

/// The sums of the leaves that rows of features reach in an ensemble of trees, transformed:
/// x [rows, features] → [rows, outputs]. MIL has no such operation; Core ML has a model of its own.
package struct TreeSum: Operation {
  /// fp32, or fp64 where the trees compare features of 64 bits.
  package let x: Operand
  package let header: TreeHeader
  /// Arrays of the ensemble, in the order of `TreeArrays.allCases`.
  package let arrays: [WeightReference]

  package init(_ x: Operand, _ header: TreeHeader, arrays: [WeightReference]) {
    self.x = x
    self.header = header
    self.arrays = arrays
  }

  package var milName: String { "tree_sum" }
  package var operands: [(parameter: String, operand: Operand)] {
    [("x", x)] + zip(TreeArrays.allCases, arrays).map { ($0.rawValue, .weight($1)) }
  }

  package func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType {
    let x = inputs[0]
    guard x.scalar == TreeSum.scalar(of: header), x.shape.count == 2,
      x.shape[1] == header.featureCount
    else {
      throw ShapeFault(
        "'x' is \(x), expected \(TreeSum.scalar(of: header).rawValue) [rows, \(header.featureCount)]"
      )
    }
    for (array, type) in zip(TreeArrays.allCases, inputs.dropFirst())
    where type.shape != array.shape(header) {
      throw ShapeFault("'\(array.rawValue)' is \(type.shape), expected \(array.shape(header))")
    }
    return ValueType(.float32, [x.shape[0], header.outputCount])
  }

  /// The type in which features are compared.
  package static func scalar(of header: TreeHeader) -> ScalarType {
    header.precision.roundsFeatures ? .float32 : .float64
  }
}
