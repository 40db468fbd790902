import ArgumentParser
import Evaluation
import StrictJSON

/// Which limits the gate holds a model to.
struct GateFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      strict, standard (the default) or lenient, and single limits: standard,cosine-mean=0.995
      """,
      discussion: """
        \(Limits.Key.help)
        Limits weaker than the profile's need the word 'weakened': standard,cosine-min=0.9,weakened.
        """,
      valueName: "profile,limit=number"))
  var limits: String?

  @Option(
    help: ArgumentHelp(
      "Similarity at which the app decides; pairs that cross it are counted as flips.",
      valueName: "similarity"))
  var threshold: Double?

  func value() throws -> Limits {
    guard let limits else { return try Limits() }
    return try LimitsWords.read(limits)
  }

  /// Runs the gate, showing how far it is, and says its warnings.
  func judge(
    baseline: GateSide, candidate: GateSide, _ references: ReferenceSet,
    source: SourceFinding? = nil, allowsOtherPreparation: Bool = false, jobs: Int,
    _ console: Console
  ) throws -> Judgement {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let model = (baseline.models + candidate.models).first
    let judgement = try InputFiles.explainingReferences(for: model) {
      try Gate.judge(
        baseline: baseline, candidate: candidate, references: references, limits: try value(),
        threshold: threshold, agreements: source?.agreements ?? [],
        allowsOtherPreparation: allowsOtherPreparation, jobs: jobs
      ) { progress.show("running references", $0, of: $1) }
    }
    progress.clear()
    let advice = judgement.thresholdAdvice
    for warning in judgement.warnings {
      let isAdvised = warning == advice?.warning
      console.warn(
        warning, details: isAdvised ? advice?.details ?? [] : [],
        hint: isAdvised ? GateFlags.hint(advice) : nil)
    }
    // What its own library made of the model says more than outcomes do.
    if source == nil, let caution = judgement.known?.caution { console.warn(caution) }
    return judgement
  }

  private static func hint(_ advice: ThresholdAdvice?) -> String? {
    switch advice {
    case .missing: "give the similarity at which the app decides: --threshold 0.5"
    case .misses: "look at these lines, or give the threshold that the app uses: --threshold"
    case nil: nil
    }
  }

  func validate() throws {
    _ = try value()
    if let threshold, !threshold.isFinite {
      throw ValidationError("--threshold \(threshold) is no finite number")
    }
  }
}
