import Evaluation

/// A judgement of the gate in words.
enum JudgementText {
  /// A few lines for stdout.
  static func summary(_ judgement: Judgement) -> String {
    let verdict = judgement.isPassed ? "passed" : "refused"
    return "gate: \(verdict)\n" + judgement.summaryLines.map { "  \($0)\n" }.joined()
  }

}
