import Graph
import Weights

/// Which bytes a comparison is about.
///
/// Taken before anything runs: should a file change afterwards, what is packaged no longer has the
/// digest that was judged, and packaging refuses it.
struct Provenance: Equatable {
  let baseline: ContentDigest
  let candidate: ContentDigest
  /// Digests of the files that describe the candidate, by path.
  let candidateFiles: [String: ContentDigest]
  let architecture: String

  /// Reads all weight bytes of both models.
  init(baseline: Model, candidate: Model) throws {
    self.baseline = baseline.digest
    self.candidate = candidate.digest
    var files: [String: ContentDigest] = [:]
    for path in candidate.architecture.describingFiles + ["tokenizer.json"] {
      guard let bytes = try candidate.files.bytes(of: path) else { continue }
      files[path] = ContentDigest(of: bytes)
    }
    candidateFiles = files
    architecture = type(of: candidate.architecture).name
  }
}
