import Files

/// The time, as an app knows it; tests bring their own.
public struct UpdateClock: Sendable {
  /// Seconds since 1970.
  public let now: @Sendable () -> Int
  /// Seconds that only go on, whatever is done to the clock.
  public let steady: @Sendable () -> Double

  /// A clock of these two.
  public init(now: @escaping @Sendable () -> Int, steady: @escaping @Sendable () -> Double) {
    (self.now, self.steady) = (now, steady)
  }

  private static let start = ContinuousClock.now

  /// The device's.
  public static let system = UpdateClock(
    now: { System.secondsSince1970 },
    steady: {
      let (seconds, attoseconds) = start.duration(to: .now).components
      return Double(seconds) + Double(attoseconds) * 1e-18
    })
}
