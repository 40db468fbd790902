import Files
import Synchronization

/// The kinds of requests that a remote store still gets after its failures.
///
/// Kinds of requests are counted apart: results that are answered at once must not hide that every
/// blob hangs.
final class RemoteHealth: Sendable {
  /// A kind of request.
  enum Request: CaseIterable {
    case getResult, getBlob, putResult, putBlob

    /// The request without which this one is useless; nil if there is none.
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
