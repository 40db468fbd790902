import ArgumentParser
import Evaluation
import StrictJSON

/// Which limits the gate holds a model to.
struct GateFlags: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "strict, standard (the default) or lenient.",
      discussion: """
        strict: cosine mean ≥ 0.999, min ≥ 0.995, similarity drift mean ≤ 0.005, max ≤ 0.02, \
        neighbours kept ≥ 0.95. standard: 0.99, 0.97, 0.01, 0.05, 0.90. \
        lenient: 0.95, 0.80, 0.03, 0.15, 0.80.
        """,
      valueName: "profile"))
  var limits: String?

  @Option(
    help: ArgumentHelp(
      "Similarity at which the app decides; pairs that cross it are counted as flips.",
      valueName: "similarity"))
  var threshold: Double?

  func value() throws -> Limits {
    guard let limits else { return try Limits() }
    guard let profile = Limits.Profile(rawValue: limits) else {
      let known = Limits.Profile.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--limits '\(limits)' is none of \(known)")
    }
    return try Limits(profile: profile)
  }

  /// Runs the gate, showing how far it is, and says its warnings.
  func judge(
    baseline: GateSide, candidate: GateSide, _ references: ReferenceSet, jobs: Int,
    _ console: Console
  ) throws -> Judgement {
    let progress = ProgressLine(console)
    defer { progress.clear() }
    let judgement = try Gate.judge(
      baseline: baseline, candidate: candidate, references: references, limits: try value(),
      threshold: threshold, jobs: jobs
    ) { progress.show("running references", $0, of: $1) }
    progress.clear()
    for warning in judgement.warnings { console.warn(warning) }
    return judgement
  }

  func validate() throws {
    _ = try value()
    if let threshold, !(-1...1).contains(threshold) {
      throw ValidationError("--threshold \(threshold) is outside -1...1")
    }
  }
}
