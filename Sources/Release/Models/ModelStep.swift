package import Explanation
package import Proving

/// The work that was done last on a model of a build.
package enum ModelStep: Sendable {
  case making(Prover.Step)
  /// A refused candidate is being mended.
  case mending(MendStep)
}
