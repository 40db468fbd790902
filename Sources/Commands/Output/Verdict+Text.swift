import Gate

extension Verdict {
  /// A few lines for stdout.
  var text: String {
    "gate: \(isPassed ? "passed \(limits.words)" : "refused")\n"
      + summaryLines.map { "  \($0)\n" }.joined()
  }
}
