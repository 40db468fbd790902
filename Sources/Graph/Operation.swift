/// One operation of Core ML's MIL, with MIL's name, parameters and semantics.
///
/// An operation is a plain value. A parameter that MIL requires to be constant (axes, flags,
/// shapes) is a Swift property; one that may be computed is an `Operand`. A new operation is one
/// file here and one in each stage that handles it.
package protocol Operation: Sendable {
  /// The operation's name in MIL, such as `layer_norm`.
  var milName: String { get }
  /// Its inputs, each with MIL's parameter name.
  var operands: [(parameter: String, operand: Operand)] { get }
  /// The type of its one output.
  ///
  /// - Parameter inputs: types of `operands`, in that order.
  func inferType(_ inputs: [ValueType]) throws(ShapeFault) -> ValueType
}

/// Why an operation cannot take its inputs; `GraphBuilder` adds which operation it was.
package struct ShapeFault: Error, Equatable {
  package let reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// A fault of a graph, naming the value, the operation and the shapes that disagree.
package struct GraphError: Error, Equatable, CustomStringConvertible {
  /// Name of the value that could not be made.
  package let value: String
  package let operation: String
  package let reason: String

  package init(value: String, operation: String, reason: String) {
    self.value = value
    self.operation = operation
    self.reason = reason
  }

  package var description: String { "\(operation) '\(value)': \(reason)" }
}
