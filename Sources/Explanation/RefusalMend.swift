package import Files
package import Gate
package import StrictJSON

/// What would mend a candidate that is refused, where that is found out in bearable time. Whatever refuses
/// one looks here.
package struct RefusalMend: Sendable {
  private let explanation: Explanation?
  /// Whether it takes an explanation of its own to find out.
  private let isLeft: Bool
  /// Why nothing could be tried; nil if something was, or there was no need. A refusal stays one.
  package let fault: (any Error)?

  /// Tries what would mend it; nothing of a candidate that passed.
  ///
  /// - Parameters:
  ///   - gate: that gave the verdict.
  ///   - candidate: as it was judged.
  ///   - isPatient: whether it may take as long as references are many: after a search, which ran them
  ///     more often.
  ///   - progress: told before each try how many there were.
  package init(
    _ verdict: Verdict, by gate: Gate, _ candidate: GateSide, against trained: GateSide,
    jobs: Int, isPatient: Bool = false, progress: @escaping (Int) -> Void
  ) {
    isLeft = !verdict.isPassed && !isPatient && !Explanation.isQuick(on: gate.references)
    guard !verdict.isPassed, !isLeft else {
      (explanation, fault) = (nil, nil)
      return
    }
    do {
      explanation = try Explanation(
        of: verdict, by: gate, candidate, against: trained, jobs: jobs, progress: progress)
      fault = nil
    } catch {
      (explanation, fault) = (nil, error)
    }
  }

  /// A line of a refusal; empty without a mend.
  ///
  /// - Parameter name: spells what a user may type.
  package func lines(_ name: UserOption.Names) -> [String] {
    if isLeft {
      return name(.explanation).map {
        ["'\($0)' looks for the cheapest mend on as many references"]
      } ?? []
    }
    return (explanation?.mend).map { [$0.sentence] } ?? []
  }

  /// `culprits`, `together` and `mend`; null where none was looked for.
  package var json: JSONValue { (explanation?.members).map(JSONValue.object) ?? .null }
}
