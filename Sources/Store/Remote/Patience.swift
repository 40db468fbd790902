/// How long a server is waited for.
struct Patience: Sendable {
  var connectMilliseconds = 10_000
  /// A request ends when it was slower than `bytesPerSecond` for so long.
  var slowSeconds = 30
  var bytesPerSecond = 1000
  /// A request ends after so long, and the time that its bytes take at `minRate`.
  var objectMilliseconds = 60_000
  /// Bytes per second.
  var minRate = 250_000
  /// No request takes longer, however large.
  var longestMilliseconds = 1_800_000
  /// Seconds that requests without a use may cost a whole run, all kinds together.
  var lostSeconds = 180.0
  /// Seconds that any answer may take, and cost nothing.
  var graceSeconds = 1.0
  /// An answer without a use that took longer than these seconds counts as a failure.
  var failureSeconds = 5.0

  /// When a request for so many bytes ends at the latest.
  func milliseconds(for byteCount: Int) -> Int {
    let (product, isTooLarge) = byteCount.multipliedReportingOverflow(by: 1000)
    guard !isTooLarge else { return longestMilliseconds }
    return min(objectMilliseconds + product / minRate, longestMilliseconds)
  }

  /// Seconds of an answer beyond the time its bytes may take; useful answers give them back.
  func late(_ seconds: Double, for byteCount: Int) -> Double {
    max(0, seconds - graceSeconds - Double(byteCount) / Double(minRate))
  }
}
