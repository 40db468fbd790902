import Trees
import Weights

extension Model {
  /// What a model of tables says of itself and its baseline does not, though a file of Ingot's own says it: the name
  /// of its output, and features of 64 bits of trees that round them to 32. Files of other tools have names of their
  /// own, and Core ML's trees have features of 64 bits whatever they were made of.
  ///
  /// - Returns: nil where there is nothing such, and of models of two kinds.
  package func firstOtherClaim(than other: Model) -> (own: ComputedPart, other: ComputedPart)? {
    guard type(of: architecture) == type(of: other.architecture) else { return nil }
    if let own = architecture as? ForestModel, let theirs = other.architecture as? ForestModel,
      own.isOfAnotherTool(than: theirs)
    {
      guard !isReadFromLibrary, !own.header.precision.roundsFeatures,
        theirs.header.precision.roundsFeatures
      else { return nil }
      return zip(own.computation, theirs.computation).first { $0 != $1 }
    }
    guard recipe != nil || !isReadFromLibrary && !other.isReadFromLibrary,
      architecture.outputName != other.architecture.outputName
    else { return nil }
    let what = "name of the output"
    return (
      ComputedPart(what, architecture.outputName), ComputedPart(what, other.architecture.outputName)
    )
  }

  /// Whether its description was made of what another tool wrote: a package, or one file; arrays that a description
  /// beside them explains lie in several.
  private var isReadFromLibrary: Bool {
    if files.areOfTheModel { return true }
    guard let weights = weights as? WeightCollection else { return false }
    return weights.areMade && weights.sources.count == 1
  }
}
