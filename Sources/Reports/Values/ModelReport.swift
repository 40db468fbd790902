package import Weights

/// What a report says of one model.
package struct ModelReport: Sendable {
  /// How the work on the model ended.
  package enum Outcome: Sendable {
    case passed
    case refused
    /// The model, its compression or its references cannot be used as asked.
    case unusable
    /// Nothing judged it: there were no references.
    case unproven

    /// Whether nobody needs to do anything about it.
    var isGood: Bool {
      switch self {
      case .passed, .unproven: true
      case .refused, .unusable: false
      }
    }
  }

  /// A set of inputs by its file, with its size in words and its digest.
  package struct InputSet: Sendable {
    /// What it was for: `references`, `calibration`.
    package let role: String
    /// Nil where only a receipt tells of it.
    package let path: String?
    package let words: String
    package let digest: ContentDigest

    package init(role: String, path: String?, words: String, digest: ContentDigest) {
      (self.role, self.path, self.words, self.digest) = (role, path, words, digest)
    }
  }

  /// Bytes by what they name: `model as trained`.
  package struct NamedDigest: Sendable {
    package let name: String
    package let digest: String

    package init(_ name: String, _ digest: String) { (self.name, self.digest) = (name, digest) }
  }

  /// The path or label of the model.
  package let name: String
  package let outcome: Outcome
  /// What the gate measured and said; nil if it did not run.
  package var judgement: Judgement?
  /// Every candidate that was judged, in order; empty where only one model was looked at.
  package var candidates: [Candidate] = []
  /// Whether the candidates are those of a search.
  package var isSearch = false
  /// The most bytes that were asked for.
  package var budget: Int?
  /// Every weight as it is stored, or would be.
  package var weights: [ReportedWeight] = []
  /// Bytes of all files that were written, or looked at; nil if nothing was.
  package var byteCount: Int?
  /// Bytes of the weights as trained, in floats of 32 bits.
  package var trainedBytes: Int?
  package var sets: [InputSet] = []
  package var digests: [NamedDigest] = []
  /// Command lines, each as a shell takes it.
  package var commands: [String] = []
  /// Small pictures by the paths of images as references write them.
  package var pictures: [String: Picture] = [:]
  /// What would mend a refusal, and its price, a sentence each.
  package var mends: [String] = []
  /// What else a reader should know, a sentence each.
  package var notes: [String] = []

  package init(name: String, outcome: Outcome) { (self.name, self.outcome) = (name, outcome) }
}

/// A small picture for a report.
package struct Picture: Sendable {
  /// Size in pixels.
  package let width: Int
  package let height: Int
  /// The bytes of a PNG file.
  package let png: [UInt8]

  package init(width: Int, height: Int, png: [UInt8]) {
    (self.width, self.height, self.png) = (width, height, png)
  }
}
