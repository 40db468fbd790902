package import Trees
import Weights

extension TreeSum {
  /// The ensemble of the operation's arrays in a source.
  ///
  /// - Throws: `TreeError` where they make none, and errors of the source.
  package func ensemble(of source: any WeightSource) throws -> TreeEnsemble {
    let origin = (source as? any WeightFile)?.files.first ?? "the trees"
    return try TreeEnsemble(header, path: origin) { array in
      guard let place = TreeArrays.allCases.firstIndex(of: array), arrays.indices.contains(place)
      else { throw TreeError(path: origin, fault: "the array '\(array.rawValue)' is missing") }
      return try source.doubles(of: arrays[place].name)
    }
  }

  /// The weight of an array. Leaves are compressed, and thresholds where a rule asks for it: a wrong place or
  /// feature is another tree.
  ///
  /// - Parameter ensemble: what the names of its arrays begin with.
  package static func reference(
    _ array: TreeArrays, _ header: TreeHeader, of ensemble: String = "trees"
  ) -> WeightReference {
    WeightReference(
      TensorName(array.tensorName(of: ensemble)), array.shape(header),
      role: role(of: array, isAlone: ensemble == "trees"), keepsFloats: array == .leaves)
  }

  /// Thresholds of a pipeline's trees are never chosen anew: its references are not their rows.
  private static func role(of array: TreeArrays, isAlone: Bool) -> WeightRole {
    switch array {
    case .leaves: .matrix(outputAxis: 0)
    case .thresholds where isAlone: .threshold
    default: .statistic
    }
  }
}
