package import Graph
package import Weights

/// An encoder beside which another was judged, by its bytes.
package struct PartnerEncoder: Equatable, Sendable {
  package let encoder: EncoderKind
  /// Digest of the baseline's weight bytes, and of the files that describe it, by path.
  package let baseline: ContentDigest
  package let baselineFiles: [String: ContentDigest]
  /// The same of the candidate; the baseline's own where only one encoder was a candidate.
  package let candidate: ContentDigest
  package let candidateFiles: [String: ContentDigest]
}
