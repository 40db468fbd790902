import Explanation
import Gate
import Inputs
import StrictJSON

/// What would mend a candidate that a command refuses, where that is quickly found out.
struct RefusalMend {
  private let explanation: Explanation?
  /// Whether it takes `ingot explain` to find out.
  private let isLeft: Bool

  /// A refusal stays one whatever happens here: what fails is a warning.
  init(
    _ verdict: Verdict, by gate: Gate, on references: ReferenceSet, _ candidate: GateSide,
    against trained: GateSide, jobs: Int, _ console: Console
  ) {
    isLeft = !verdict.isPassed && !Explanation.isQuick(on: references)
    guard !verdict.isPassed, !isLeft else {
      explanation = nil
      return
    }
    do {
      explanation = try Explanation(
        of: verdict, by: gate, candidate, against: trained, jobs: jobs)
    } catch {
      console.warn("no mend was tried: \(words(of: error))")
      explanation = nil
    }
  }

  /// A line of a refusal; empty without a mend.
  var lines: [String] {
    if isLeft { return ["'ingot explain' looks for the cheapest mend on as many references"] }
    return (explanation?.mend).map { [$0.sentence] } ?? []
  }

  /// `culprits`, `together` and `mend`; null where none was looked for.
  var json: JSONValue { (explanation?.members).map(JSONValue.object) ?? .null }
}
