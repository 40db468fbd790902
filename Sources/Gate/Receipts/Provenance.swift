import Files
package import Graph
import Inputs
import Weights

/// Which bytes a comparison is about.
///
/// Taken before anything runs: should a file change afterwards, what is packaged no longer has the
/// digest that was judged, and packaging refuses it.
struct Provenance: Equatable {
  let baseline: ModelDigests
  let candidate: ModelDigests
  let architecture: String
  /// The inputs the candidate was fitted to; nil if it was not.
  let calibration: CalibrationRecord?
  /// The texts whose tokens the candidate kept; nil if it has all of them.
  let vocabulary: VocabularyRecord?
  /// The encoder that ran beside; nil for a model that was judged alone.
  let partner: PartnerEncoder?
}

extension Provenance {
  init(_ own: JudgedEncoder, beside other: JudgedEncoder?) {
    self.init(
      baseline: own.baseline, candidate: own.candidate, architecture: own.architecture,
      calibration: own.calibration, vocabulary: own.vocabulary,
      partner: other.flatMap(PartnerEncoder.init))
  }
}

extension PartnerEncoder {
  fileprivate init?(_ judged: JudgedEncoder) {
    guard let encoder = judged.kind.encoder else { return nil }
    self.init(encoder: encoder, baseline: judged.baseline, candidate: judged.candidate)
  }
}

/// The bytes of one encoder on both sides.
struct JudgedEncoder {
  let kind: InputKind
  let baseline: ModelDigests
  let candidate: ModelDigests
  let architecture: String
  /// The inputs the candidate was fitted to; nil if it was not.
  let calibration: CalibrationRecord?
  /// The texts whose tokens the candidate kept; nil if it has all of them.
  let vocabulary: VocabularyRecord?

  /// Reads all weight bytes of an encoder, or the baseline's own for one that is not a candidate; nil
  /// without a baseline.
  init?(_ slot: EncoderSlot, _ digests: inout DigestMemory) throws {
    guard let old = slot.baseline else { return nil }
    let new = slot.candidate ?? old
    kind = slot.kind
    // A model that can never run need not be read to its end.
    try ModelRunner.requireMemory(for: old)
    baseline = try digests.digests(of: old)
    candidate = slot.candidate == nil ? baseline : try digests.digests(of: new)
    architecture = type(of: new.architecture).name
    calibration = new.calibration
    vocabulary = new.vocabulary
  }
}

/// Digests of files that two encoders share, taken once.
struct DigestMemory {
  private var known: [(files: WeightCollection, digest: ContentDigest)] = []

  mutating func digests(of model: Model) throws(FileError) -> ModelDigests {
    ModelDigests(weights: digest(of: model), files: try model.describingDigests())
  }

  private mutating func digest(of model: Model) -> ContentDigest {
    guard let files = model.weights as? WeightCollection else { return model.digest }
    if let same = known.first(where: { $0.files.isSame(as: files) }) { return same.digest }
    let digest = model.digest
    known.append((files, digest))
    return digest
  }
}

/// An encoder beside which another was judged, by its bytes.
package struct PartnerEncoder: Equatable, Sendable {
  package let encoder: EncoderKind
  package let baseline: ModelDigests
  /// The baseline's own where only one encoder was a candidate.
  package let candidate: ModelDigests
}
