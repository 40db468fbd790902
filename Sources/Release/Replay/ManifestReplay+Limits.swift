import Gate
import Inputs
import Project
import StrictJSON

extension ManifestReplay {
  /// A sentence for each limit that a receipt was held to and that is weaker than what the project
  /// asks for now; tighter ones are no difference.
  ///
  /// - Parameter recorded: what the receipt says.
  /// - Throws: `EvaluationError` when the project asks for a limit that there is not.
  func weaker(_ recorded: Limits) throws(EvaluationError) -> [String] {
    let requested = try Limits(key.limits)
    return recorded.weaker(than: requested).map { limit in
      "limits: held to \(recorded.phrase(limit)), the project asks for "
        + "\(limit.isFloor ? "at least" : "at most") \(Figures.plain(requested[limit]))"
    }
  }
}
