import Files
import Weights

/// A result that a server gave, before anybody knows what it is worth: digests say that it came
/// whole, and only who uses it can say that it is what its key promises.
struct RemoteTrial {
  /// Seconds that the result and its blobs took.
  var seconds = 0.0
  /// Those beyond what their bytes may take, which are noted as lost until there is a use.
  var late = 0.0
  /// Blobs that came.
  var fetched: [ActionResult.Output] = []

  /// Bytes of the blobs that came.
  var byteCount: Int { fetched.reduce(0) { $0 + $1.byteCount } }
}

extension RemoteStore {
  /// Notes the cost of a part of a result.
  func spend(
    _ taken: Double, for byteCount: Int, on key: ActionKey, _ request: RemoteHealth.Request,
    _ warn: (String) -> Void
  ) {
    let late = patience.late(taken, for: byteCount)
    trials.withLock {
      $0[key, default: RemoteTrial()].seconds += taken
      $0[key, default: RemoteTrial()].late += late
    }
    lose(late, by: request, warn, hasFailed: false)
  }

  /// Ends the trial of a result: its cost was well spent, or lost.
  ///
  /// - Returns: the trial; nil if there was none.
  func end(_ key: ActionKey, isOfUse: Bool, warn: (String) -> Void) -> RemoteTrial? {
    guard let trial = trials.withLock({ $0.removeValue(forKey: key) }) else { return nil }
    if isOfUse {
      health.regain(trial.late)
    } else {
      lose(trial.seconds - trial.late, by: .getResult, warn, hasFailed: false)
    }
    return trial
  }
}
