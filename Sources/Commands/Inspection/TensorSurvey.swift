import Files
import Formats
import Graph
import StrictJSON
import WeightCompression
import Weights

/// Looks at tensors one by one, and then for those that are equal.
struct TensorSurvey {
  private(set) var tensors: [TensorInspection] = []
  private var findings: [Finding] = []
  /// Tensors that may be equal to others, in the order of the file.
  private var candidates: [(tensor: Tensor, diagnosed: DiagnosedTensor, key: Key?)] = []

  /// The properties that equal tensors share.
  private struct Key: Hashable {
    let shape: [Int]
    let hash: ContentHash
  }

  /// Reads the values of a tensor piece by piece.
  mutating func add(_ tensor: Tensor, _ uses: TensorUses) throws {
    let diagnosed = uses.diagnosed(tensor)
    let statistics =
      tensor.elementType.isConvertible ? try TensorSurvey.statistics(of: tensor, diagnosed) : nil
    tensors.append(
      TensorInspection(
        name: tensor.name, type: tensor.elementType.rawValue, shape: tensor.shape,
        byteCount: tensor.byteCount, role: uses.label(of: tensor), statistics: statistics))
    findings += TensorDiagnosis.findings(
      of: diagnosed, statistics, floats: ModelFormat.floats)
    candidates.append(
      (tensor, diagnosed, statistics.flatMap { TensorSurvey.key(diagnosed, $0) }))
  }

  private static func statistics(
    of tensor: Tensor, _ diagnosed: DiagnosedTensor
  ) throws -> TensorStatistics {
    try Memory.require(
      diagnosed.scanByteCount(elementCount: tensor.elementCount),
      for: "examining tensor \(quoted(tensor.name))", of: tensor.place)
    var scan = diagnosed.scan(elementCount: tensor.elementCount)
    try tensor.forEachPiece {
      scan.add($0)
      return true
    }
    return scan.finish()
  }

  /// Everything found, equal tensors at the end.
  ///
  /// - Parameter weights: the weights that hold the tensors.
  func finish(_ weights: WeightCollection) throws -> [Finding] {
    let groups = try EqualTensors.groups(candidates.map(\.key)) { first, second in
      try EqualTensors.areSame(
        candidates[first].tensor.name, candidates[second].tensor.name, in: weights)
    }
    return findings
      + groups.compactMap { group in EqualTensors.finding(group.map { candidates[$0].diagnosed }) }
  }

  // Biases of zeros are equal as a rule; parts of a compressed model are not weights.
  private static func key(_ tensor: DiagnosedTensor, _ statistics: TensorStatistics) -> Key? {
    guard tensor.use != .stored, statistics.elementCount > 1, !statistics.isConstant else {
      return nil
    }
    return Key(shape: tensor.shape, hash: statistics.hash)
  }
}
