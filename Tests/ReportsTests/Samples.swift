import Inputs
import Weights

@testable import Gate
@testable import Reports

/// Values for reports, made by hand.
enum Samples {
  static func metrics(mean: Double, min: Double = 0.99) -> DriftMetrics {
    DriftMetrics(
      drift: .embeddings(
        .init(
          cosine: .init(mean: mean, p1: 0.992, min: min),
          similarityDrift: .init(mean: 0.004, max: 0.01), neighbourOverlap: 0.97,
          topOneAgreement: 0.95, spearman: nil, normDrift: 0.001)),
      flips: 0, inputs: 40, pairs: 20)
  }

  static func details(_ texts: [String]) -> DriftDetails {
    let subjects = texts.enumerated().map {
      DriftDetails.Subject(.text($0.element), line: $0.offset + 1)
    }
    return .embeddings(
      .init(
        cosines: (0..<40).map { 0.99 + 0.00025 * Double($0) },
        pairs: subjects.map {
          DriftDetails.Pair($0.input, .text("another"), line: $0.line, before: 0.5, after: 0.48)
        },
        inputs: subjects.map { DriftDetails.Drifted($0, cosine: 0.991) },
        neighbours: subjects.map { DriftDetails.Neighbours($0, lost: 3, of: 10) }))
  }

  static func model(
    _ name: String, _ outcome: ModelReport.Outcome = .passed, text: String = "a text"
  ) throws -> ModelReport {
    var model = ModelReport(name: name, outcome: outcome)
    let limits = try Limits(profile: .standard)
    let reasons = [
      Judgement.Finding(id: "suspect-weight", sentence: "tensor '\(text)' makes all of the drift")
    ]
    model.judgement = Judgement(
      limits: limits, metrics: metrics(mean: 0.995), reasons: outcome.isGood ? [] : reasons,
      warnings: [.init(id: nil, sentence: "\(text) is odd")], details: details([text]))
    model.weights = [
      ReportedWeight(
        name: "encoder.layer.0.\(text)", shape: [8, 16], scheme: "palette of 4 bits",
        byteCount: 96, error: 0.01),
      ReportedWeight(
        name: "encoder.layer.1.query", shape: [8, 16], scheme: "int8", byteCount: 160, error: 0.01),
      ReportedWeight(name: "pooler.bias", shape: [8], scheme: "kept", byteCount: 32, error: 0),
    ]
    model.candidates = candidates
    model.isSearch = true
    model.byteCount = 1234
    model.trainedBytes = 4936
    let digest = ContentDigest(of: [1, 2, 3])
    model.sets = [.init(role: "references", path: text, words: "20 pairs", digest: digest)]
    model.digests = [.init(text, digest.hex)]
    model.mends = outcome.isGood ? [] : ["6 bits for '\(text)'"]
    model.commands = ["ingot shrink \(text)"]
    return model
  }

  static let candidates = [
    Candidate(number: 1, share: "search", weightBytes: 300_000, mean: 0.9991, isPassed: true),
    Candidate(number: 2, share: "search", weightBytes: 200_000, mean: 0.98, isPassed: false),
    Candidate(number: 3, share: "verdict", weightBytes: 250_000, mean: 0.993, isPassed: true),
    Candidate(number: 4, share: "verdict", weightBytes: 240_000, mean: .nan, isPassed: false),
  ]
}

extension Candidate {
  init(number: Int, share: String, weightBytes: Int, mean: Double, isPassed: Bool) {
    self.init(
      number: number, share: share, weightBytes: weightBytes, predictedLoss: .infinity,
      use: isPassed ? 0.5 : .infinity, metrics: mean.isNaN ? nil : Samples.metrics(mean: mean),
      isPassed: isPassed)
  }
}
