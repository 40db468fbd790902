package import Formats
package import Gate
import Packaging
import Project
package import Search
package import Weights

/// What speaks for or against a model of a build, as far as the build saw it.
package struct BuildEvidence: Equatable, Sendable {
  /// The model as trained, its references and what it was fitted to, as paths; the last is nil where
  /// it was not.
  package let source: String
  package let references: String
  package let calibration: String?
  /// Digests of the references and of what it was fitted to, as the build began.
  package let referencesDigest: ContentDigest
  package let calibrationDigest: ContentDigest?
  /// The verdict; nil where the store had the model, and where no gate ran.
  package let verdict: Verdict?
  /// The candidates of a search, in order; empty without one.
  package let trials: [JudgedTrial]
  /// One for each encoder that ships; empty if it did not pass.
  package let receipts: [DriftReceipt]
  /// The encoders that were made, or brought back, which have no weights listed then.
  package let encoders: [EmittedModel]
  /// Bytes of their weights as trained, in floats of 32 bits; nil if nothing passed.
  package let trainedBytes: Int?
  /// Why it was refused or cannot be used, a sentence each.
  package let reasons: [String]
  /// What would mend it, or how to find out; empty of one that was not refused.
  package let mends: [String]

  init(
    _ key: BuildPlan.Key, _ inputs: JobInputs, _ outcome: ModelOutcome, _ verdict: Verdict?,
    _ trials: [JudgedTrial]
  ) {
    (source, references, calibration) = (key.source, key.references, key.calibration)
    (referencesDigest, calibrationDigest) = (inputs.references, inputs.calibration)
    (self.verdict, self.trials) = (verdict, trials)
    receipts = outcome.receipts
    mends = if case .refused(let refusal) = outcome { refusal.mends } else { [] }
    switch outcome {
    case .proven(let model):
      encoders = model.parts.map(\.emitted)
      let bytes = model.parts.map(\.details.originalBytes)
      trainedBytes = bytes.contains(.max) ? nil : bytes.reduce(0, +)
      reasons = []
    case .refused(let refusal): (encoders, trainedBytes, reasons) = ([], nil, refusal.reasons)
    case .unusable(let fault): (encoders, trainedBytes, reasons) = ([], nil, fault.reasons)
    }
  }
}
