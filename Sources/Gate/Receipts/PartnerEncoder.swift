package import Graph

/// An encoder beside which another was judged, by its bytes.
package struct PartnerEncoder: Equatable, Sendable {
  package let encoder: EncoderKind
  package let baseline: ModelDigests
  /// The baseline's own where only one encoder was a candidate.
  package let candidate: ModelDigests
}
