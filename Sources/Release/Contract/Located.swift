/// A value and where it was written.
struct Located<Value: Sendable>: Sendable {
  let value: Value
  let place: Place
}

extension Located: Equatable where Value: Equatable {}
