import Graph
import Inputs
import Trees

extension GateRun {
  /// Warnings about what the references make a classifier give.
  ///
  /// - Parameters:
  ///   - before: outputs of the baseline.
  ///   - labels: how the baseline decides lines with true labels; nil without any.
  func tableWarnings(_ before: OutputMatrix, _ labels: LabelAgreement?) -> [GateWarning] {
    var warnings: [ReferenceWarning] = []
    if let warning = labels?.warning { warnings.append(warning) }
    if case .classes(_, _, .probabilities) = evaluation.meaning,
      !pairing.slots.contains(where: { $0.baseline?.architecture.givesShares == true }),
      before.values.allSatisfy(GateRun.isCertain)
    {
      warnings.append(.saturatedOutputs(before.rowCount))
    }
    return warnings.map(GateWarning.references)
  }

  /// Whether a probability is 0 or 1 to numbers of 32 bits, which are 2⁻²⁴ apart below 1.
  private static func isCertain(_ probability: Float) -> Bool {
    probability <= 0x1p-24 || probability >= 1 - 0x1p-24
  }
}

extension Architecture {
  /// Whether probabilities are shares of votes, which are often 0 or 1, and move where a leaf does.
  fileprivate var givesShares: Bool {
    guard let forest = self as? ForestModel else { return false }
    return forest.header.transform == .identity || forest.header.transform == .share
  }
}
