/// A value and where it was written.
package struct Located<Value: Sendable>: Sendable {
  package let value: Value
  package let place: Place
}

extension Located: Equatable where Value: Equatable {}
