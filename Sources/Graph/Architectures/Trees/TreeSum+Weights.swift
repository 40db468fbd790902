package import Trees
import Weights

extension TreeSum {
  /// The ensemble of the operation's arrays in a source.
  ///
  /// - Throws: `TreeError` where they make none, and errors of the source.
  package func ensemble(of source: any WeightSource) throws -> TreeEnsemble {
    let origin = (source as? any WeightFile)?.files.first ?? "the trees"
    return try TreeEnsemble(header, path: origin) { array in
      let reference = TreeSum.reference(array, header)
      return try source.doubles(of: reference.name)
    }
  }

  /// The weight of an array. Leaves alone are compressed: a wrong place or feature is another tree.
  package static func reference(_ array: TreeArrays, _ header: TreeHeader) -> WeightReference {
    WeightReference(
      TensorName(array.tensorName), array.shape(header),
      role: array == .leaves ? .matrix(outputAxis: 0) : .statistic)
  }
}
