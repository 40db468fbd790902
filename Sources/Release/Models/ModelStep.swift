package import Proving

/// The work that was done last on a model of a build.
package enum ModelStep: Sendable {
  case making(Prover.Step)
  /// Changes that were tried to mend a refused candidate.
  case mending(Int)
}
