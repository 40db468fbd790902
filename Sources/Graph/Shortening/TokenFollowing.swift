/// An operation with a rule of how the tokens go through it.
protocol TokenFollowing: Operation {
  /// The value it makes.
  ///
  /// - Parameters:
  ///   - inputs: values of `operands`, in that order; one of them at least follows the tokens, or
  ///     none does and only limits are wanted.
  ///   - type: of the value, at full length.
  /// - Returns: nil if nothing is proven.
  func follow(
    _ inputs: [TokenValue], _ type: ValueType, _ walk: inout TokenWalk
  ) throws -> TokenValue?

  /// The same operation for fewer tokens; nil if nothing but its operands' shapes changes.
  ///
  /// - Parameters:
  ///   - operands: in their order, some of them cut.
  ///   - shape: of the value.
  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)?
}

/// An operation that moves numbers: those of its value are numbers of its operands, bit for bit.
protocol TokenMoving: TokenFollowing {}

extension TokenFollowing {
  func shortened(_ operands: [Operand], shape: [Int]) -> (any Operation)? { nil }
}
