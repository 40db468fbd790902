import Files

/// The kinds of requests that a remote store still gets after its failures.
///
/// Kinds of requests are counted apart: results that are answered at once must not hide that every
/// blob hangs.
final class RemoteHealth: Sendable {
  /// A kind of request.
  enum Request: CaseIterable {
    case getResult, getBlob, putResult, putBlob

    /// The request without which this one is useless; nil without one.
    fileprivate var need: Request? {
      switch self {
      case .getResult: .getBlob
      case .putResult: .putBlob
      case .getBlob, .putBlob: nil
      }
    }

    /// The kind of request that is given up, in words.
    fileprivate var words: String {
      switch self {
      case .getResult: "asked for results"
      case .getBlob: "asked for blobs"
      case .putResult: "given results"
      case .putBlob: "given blobs"
      }
    }
  }

  /// Failures of a kind in a row after which it is given up.
  static let failureLimit = 3

  private struct State {
    var failures: [Request: Int] = [:]
    var lostSeconds = 0.0
  }

  private let lostLimit: Double
  private let state = Mutex(State())

  /// - Parameter lostLimit: seconds that requests without a use may cost, all kinds together.
  init(lostLimit: Double) { self.lostLimit = lostLimit }

  /// Whether a request is worth its time. Once given up, it is not sent again.
  func isGivenUp(_ request: Request) -> Bool {
    state.withLock { state in
      [request, request.need].contains { kind in
        kind.map { (state.failures[$0] ?? 0) >= Self.failureLimit } ?? false
      } || state.lostSeconds >= lostLimit
    }
  }

  /// Takes back seconds that were noted as lost, because they proved useful after all.
  func regain(_ seconds: Double) {
    state.withLock { state in
      if state.lostSeconds < lostLimit { state.lostSeconds = max(0, state.lostSeconds - seconds) }
    }
  }

  /// Notes that a request served its purpose.
  func worked(_ request: Request) { state.withLock { $0.failures[request] = 0 } }

  /// Notes a request that was of no use, and whether it failed.
  ///
  /// - Returns: what is not done again from here on, in words; nil if all goes on.
  func lost(_ seconds: Double, by request: Request, hasFailed: Bool) -> String? {
    state.withLock { state in
      let wasLost = state.lostSeconds >= lostLimit
      state.lostSeconds += seconds
      if hasFailed { state.failures[request, default: 0] += 1 }
      if hasFailed, state.failures[request] == Self.failureLimit {
        return "failed \(Self.failureLimit) times in a row and is not \(request.words) again"
      }
      guard !wasLost, state.lostSeconds >= lostLimit else { return nil }
      return "cost \(Int(state.lostSeconds)) seconds for nothing and is not asked again"
    }
  }
}

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
