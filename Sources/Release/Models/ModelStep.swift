package import Proving

/// The work that was done last on a model of a build.
package enum ModelStep: Sendable {
  case making(Prover.Step)
  /// Inputs of the references and of the calibration that were compared, of how many.
  case comparing(Int, of: Int)
  /// Changes that were tried to mend a refused candidate.
  case mending(Int)
}
