import Graph

/// How coarse the thresholds of trees may be; which numbers they become depends on what they decide.
package enum ThresholdScheme: Hashable, Sendable {
  /// Numbers of half precision.
  case float16
  /// 255 evenly spaced numbers of each feature.
  case evenlySpaced
  /// 2^bits numbers of each feature, or more where decisions need them.
  case palette(bits: Int)

  /// What a recipe asks for; nil of plans that ask for nothing, and of models that have no trees.
  init?(of planned: [PlannedTensor]) {
    guard let plan = planned.first(where: { $0.role == .threshold }), let scheme = plan.requested
    else { return nil }
    self.init(scheme)
  }

  /// Nil of a scheme that is not for thresholds.
  package init?(_ scheme: Scheme) {
    switch scheme {
    case .narrow(.float16): self = .float16
    case .linear(let linear):
      guard linear.integers == .int8, linear.mode == .symmetric, linear.range == .largest,
        [.perTensor, .perChannel].contains(linear.granularity)
      else { return nil }
      self = .evenlySpaced
    case .palette(let palette):
      guard palette.granularity == .perTensor, palette.width == 1, palette.entries == .floats
      else { return nil }
      self = .palette(bits: palette.bits)
    case .unique, .split, .narrow: return nil
    }
  }
}
