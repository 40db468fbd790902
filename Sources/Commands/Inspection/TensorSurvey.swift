import WeightCompression
import Weights

/// Looks at tensors one by one, and then for those that are equal.
struct TensorSurvey {
  private(set) var tensors: [TensorInspection] = []
  private var findings: [Finding] = []
  /// What equal tensors may be among, in the order of the file.
  private var candidates: [(tensor: Tensor, diagnosed: DiagnosedTensor, key: Key?)] = []

  /// What equal tensors have in common.
  private struct Key: Hashable {
    let shape: [Int]
    let hash: ContentHash
  }

  /// Reads the values of a tensor and lets go of them.
  mutating func add(_ tensor: Tensor, _ uses: TensorUses) throws {
    let diagnosed = uses.diagnosed(tensor)
    let statistics =
      tensor.elementType.isConvertible ? diagnosed.statistics(of: try tensor.floats()) : nil
    tensors.append(
      TensorInspection(
        name: tensor.name, type: tensor.elementType.rawValue, shape: tensor.shape,
        byteCount: tensor.byteCount, role: uses.label(of: tensor), statistics: statistics))
    findings += TensorDiagnosis.findings(of: diagnosed, statistics)
    candidates.append(
      (tensor, diagnosed, statistics.flatMap { TensorSurvey.key(diagnosed, $0) }))
  }

  /// Everything found, equal tensors at the end.
  func finish() throws -> [Finding] {
    let groups = try EqualTensors.groups(candidates.map(\.key)) { first, second in
      EqualTensors.areSame(
        try candidates[first].tensor.floats(), try candidates[second].tensor.floats())
    }
    return findings
      + groups.compactMap { group in EqualTensors.finding(group.map { candidates[$0].diagnosed }) }
  }

  // Biases of zeros are equal and nobody wonders; parts of a compressed model are not weights.
  private static func key(_ tensor: DiagnosedTensor, _ statistics: TensorStatistics) -> Key? {
    guard tensor.use != .stored, statistics.elementCount > 1, !statistics.isConstant else {
      return nil
    }
    return Key(shape: tensor.shape, hash: statistics.hash)
  }
}
