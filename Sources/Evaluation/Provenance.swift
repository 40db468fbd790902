import Graph
import Weights

/// Which bytes a comparison is about.
///
/// Taken before anything runs: should a file change afterwards, what is packaged no longer has the
/// digest that was judged, and packaging refuses it.
struct Provenance: Equatable {
  let baseline: ContentDigest
  /// Digests of the files that describe the baseline, by path.
  let baselineFiles: [String: ContentDigest]
  let candidate: ContentDigest
  /// Digests of the files that describe the candidate, by path.
  let candidateFiles: [String: ContentDigest]
  let architecture: String

  init(
    baseline: ContentDigest, baselineFiles: [String: ContentDigest], candidate: ContentDigest,
    candidateFiles: [String: ContentDigest], architecture: String
  ) {
    self.baseline = baseline
    self.baselineFiles = baselineFiles
    self.candidate = candidate
    self.candidateFiles = candidateFiles
    self.architecture = architecture
  }

  /// Reads all weight bytes of both models.
  init(baseline: Model, candidate: Model) throws {
    self.baseline = baseline.digest
    self.candidate = candidate.digest
    baselineFiles = try baseline.describingDigests()
    candidateFiles = try candidate.describingDigests()
    architecture = type(of: candidate.architecture).name
  }
}
