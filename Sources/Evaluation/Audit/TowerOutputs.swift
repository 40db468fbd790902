/// What one encoder of one side gives.
struct TowerOutputs {
  /// One row per input of the references that it takes.
  let references: OutputMatrix
  /// One row per generated text; nil where there are none.
  let generated: OutputMatrix?
}

/// What both sides make of generated texts.
struct GeneratedOutputs {
  let before: OutputMatrix
  let after: OutputMatrix

  /// - Returns: nil unless both sides ran them, and give as many numbers.
  init?(before: OutputMatrix?, after: OutputMatrix?) {
    guard let before, let after, before.width == after.width else { return nil }
    (self.before, self.after) = (before, after)
  }
}
