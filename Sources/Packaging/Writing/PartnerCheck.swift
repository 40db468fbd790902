import Gate
import Graph
import Weights

/// Checks whether a package holds the encoder that another one was judged together with.
///
/// Two encoders that ship were judged together, and each receipt names the other. An encoder that
/// ships alone was judged together with the other one as trained.
struct PartnerCheck {
  /// The partner as a receipt names it; nil where it names none.
  let named: PartnerEncoder?
  /// The partner in the package; nil without one.
  let packed: ModelDigests?

  /// Whether what ships is what was judged.
  var holds: Bool {
    guard let packed else {
      return named.map { $0.baseline.weights == $0.candidate.weights } ?? true
    }
    return named?.candidate == packed
  }
}

extension PartnerCheck {
  /// Checks the models of a package that is planned.
  static func check(_ models: [PackagedModel]) throws(PackagingError) {
    for model in models {
      guard let other = model.identity.encoder?.other else { continue }
      let packed = models.first { $0.identity == model.identity.of(other) }?.receipt
      let check = PartnerCheck(named: model.receipt.partner, packed: packed?.candidate)
      guard check.holds else {
        throw .foreignPartner(
          model: model.identity.title, encoder: other, receipt: check.named?.candidate.weights,
          file: check.packed?.weights)
      }
    }
  }
}
