import Inputs

/// Both sides after their run.
struct RunSides {
  /// One row per distinct input.
  let before: OutputMatrix
  let after: OutputMatrix
  /// One for each encoder, as all that follow; nil where no texts ran.
  let generated: [GeneratedOutputs?]
  /// Nil if outputs were given.
  let baselines: [ModelRunner?]
  /// Nil if outputs were given, and where the candidate leaves the encoder as the baseline has it.
  let candidates: [ModelRunner?]
}
