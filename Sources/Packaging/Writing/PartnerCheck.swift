import Gate
import Graph
import Weights

/// Checks whether a package holds the encoder that another one was judged together with.
///
/// Two encoders that ship were judged together, and each receipt names the other. An encoder that
/// ships alone was judged together with the other one as trained.
struct PartnerCheck {
  /// An encoder's bytes, and those of the files that prepare its inputs.
  struct Part: Equatable {
    let digest: ContentDigest
    let files: [String: ContentDigest]
  }

  /// The partner as trained and as it was judged; nil if a receipt names none.
  let named: (trained: Part, judged: Part)?
  /// The partner in the package; nil if there is none.
  let packed: Part?

  /// Whether what ships is what was judged.
  var holds: Bool {
    guard let packed else { return named.map { $0.trained.digest == $0.judged.digest } ?? true }
    return named?.judged == packed
  }
}

extension PartnerCheck {
  /// Checks the models of a package that is planned.
  static func check(_ models: [PackagedModel]) throws(PackagingError) {
    for model in models {
      guard let other = model.identity.encoder?.other else { continue }
      let packed = models.first { $0.identity == model.identity.of(other) }?.receipt
      let check = PartnerCheck(
        named: model.receipt.partner.map(PartnerCheck.parts),
        packed: packed.map { Part(digest: $0.candidate, files: $0.candidateFiles) })
      guard check.holds else {
        throw .foreignPartner(
          model: model.identity.title, encoder: other, receipt: check.named?.judged.digest,
          file: check.packed?.digest)
      }
    }
  }

  static func parts(_ partner: PartnerEncoder) -> (trained: Part, judged: Part) {
    (
      Part(digest: partner.baseline, files: partner.baselineFiles),
      Part(digest: partner.candidate, files: partner.candidateFiles)
    )
  }
}
