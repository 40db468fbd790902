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
    guard let profile = Limits.Profile(rawValue: limits ?? "standard") else {
      throw ValidationError("--limits '\(limits ?? "")' is none of strict, standard, lenient")
    }
    return try Limits(profile: profile, overrides: [:])
  }

  func validate() throws {
    _ = try value()
    if let threshold, !(-1...1).contains(threshold) {
      throw ValidationError("--threshold \(threshold) is outside -1...1")
    }
  }
}
