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

  /// Reads all weight bytes of both models.
  init(baseline: Model, candidate: Model) throws {
    self.baseline = baseline.digest
    self.candidate = candidate.digest
    baselineFiles = try Provenance.files(of: baseline)
    candidateFiles = try Provenance.files(of: candidate)
    architecture = type(of: candidate.architecture).name
  }

  private static func files(of model: Model) throws -> [String: ContentDigest] {
    var files: [String: ContentDigest] = [:]
    for path in model.architecture.describingFiles {
      guard let bytes = try model.files.bytes(of: path) else { continue }
      files[path] = ContentDigest(of: bytes)
    }
    return files
  }
}
