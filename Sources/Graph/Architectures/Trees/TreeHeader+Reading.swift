import StrictJSON
import Trees
import Weights

extension TreeHeader {
  /// The header of the arrays of an ensemble, of which there may be several.
  ///
  /// - Parameter arrays: what their names begin with.
  init(
    of weights: any WeightSource, _ origin: String, arrays ensemble: String, featureCount: Int,
    base: [Double], divisor: Double, precision: TreeEnsemble.Precision,
    transform: TreeEnsemble.Transform
  ) throws {
    func shape(_ array: TreeArrays, _ rank: Int) throws(ModelError) -> [Int] {
      let name = TensorName(array.tensorName(of: ensemble))
      guard let shape = weights.shape(of: name) else {
        throw ModelError.missingWeight(origin: origin, name: name)
      }
      guard shape.count == rank, !shape.contains(0) else {
        throw ModelError.wrongShape(
          origin: origin, name: name, found: shape, expected: [Int](repeating: 1, count: rank))
      }
      return shape
    }
    let leaves = try shape(.leaves, 2)
    self.init(
      featureCount: featureCount, branchCount: try shape(.features, 1)[0],
      treeCount: try shape(.roots, 1)[0], leafCount: leaves[1], leafWidth: leaves[0],
      setCount: try shape(.categoryStarts, 1)[0] - 1, wordCount: try shape(.categoryWords, 1)[0],
      base: base, divisor: divisor, precision: precision, transform: transform)
    if !precision.roundsFeatures {
      let thresholds = try shape(.thresholds, 2)
      guard thresholds[0] <= thresholdCount else {
        throw ModelError.wrongShape(
          origin: origin, name: TensorName(TreeArrays.thresholds.tensorName(of: ensemble)),
          found: thresholds, expected: TreeArrays.thresholds.shape(self))
      }
      thresholdCount = thresholds[0]
    }
    guard leaves[0] <= base.count, divisor > 0, divisor.isFinite else {
      throw TreeError(
        path: origin,
        fault:
          "leaves have \(leaves[0]) numbers for \(Figures.count(base.count, "output")), divided by \(divisor)"
      )
    }
  }
}
