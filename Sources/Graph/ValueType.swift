/// Element types a value of a graph can have; a subset of MIL's.
package enum ScalarType: String, Hashable, Sendable {
  case float32 = "fp32"
  case int32
  case bool
}

/// Element type and concrete shape of a value.
package struct ValueType: Hashable, Sendable, CustomStringConvertible {
  package let scalar: ScalarType
  /// Outermost axis first; empty for a scalar.
  package let shape: [Int]

  package init(_ scalar: ScalarType, _ shape: [Int]) {
    self.scalar = scalar
    self.shape = shape
  }

  /// Number of elements.
  package var elementCount: Int { shape.reduce(1, *) }

  package var description: String { "\(scalar.rawValue) \(shape)" }
}
