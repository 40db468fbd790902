import Explanation
import Gate
import StrictJSON

/// What `explain` answers.
struct ExplanationReport {
  let explanation: Explanation
  let baseline: String
  let candidates: [String]
  /// Whether Ingot made the candidate: what is beside the weights is in it then.
  let isMade: Bool
  /// Whether weights of the candidate were fitted to inputs.
  let isFitted: Bool
  /// Whether a recipe stores weights as the mend does.
  let hasRecipe: Bool
  /// Where the recipe was written; nil if it was not.
  let recipePath: String?

  private var verdict: Verdict { explanation.verdict }

  var text: String {
    verdict.text + culpritText + treeText + mendText
  }

  private var culpritText: String {
    guard !explanation.culprits.isEmpty else {
      // What trees do is said for itself.
      if !verdict.trees.isEmpty { return "" }
      return verdict.isPassed ? "no weight makes any drift\n" : reasonText
    }
    var table = TextTable([
      ("culprit", .left), ("share alone", .right), ("relative error", .right), ("damage", .left),
    ])
    for culprit in shown {
      table.add([
        culprit.name + (culprit.encoder.map { " (\($0))" } ?? ""),
        ExplanationReport.percent(culprit.suspect?.share),
        culprit.suspect.map { Figures.significant($0.relativeError) } ?? "–", culprit.words,
      ])
    }
    let together = verdict.causes?.together.flatMap { joint in
      joint.share < Self.leastShare ? nil : "\(joint.sentence)\n"
    }
    return table.text + (together ?? "")
  }

  /// The trees that moved outputs; empty of anything but trees.
  private var treeText: String { verdict.trees.map { "\($0.sentence)\n" }.joined() }

  /// The culprits without roundings that move next to nothing, unless there are no others.
  private var shown: [Culprit] {
    let worth = explanation.culprits.filter {
      $0.kind != .rounding || !(($0.suspect?.share ?? 1) < Self.leastShare)
    }
    return worth.isEmpty ? explanation.culprits : worth
  }

  /// The least part of the drift that a rounding must make to be named: less is printed as 0 %.
  private static let leastShare = 0.005

  /// A refusal that names nothing says why by its reasons.
  private var reasonText: String { verdict.reasons.map { "\($0)\n" }.joined() }

  private static func percent(_ share: Double?) -> String {
    guard let share, share.isFinite else { return "–" }
    return "\(Figures.text(share * 100, decimals: 0)) %"
  }

  private var mendText: String {
    if verdict.isPassed { return "nothing to mend: it passes \(verdict.limits.words)\n" }
    guard let mend = explanation.mend else {
      let reason = explanation.whyNoMend.map { "no mend was found: \($0)\n" } ?? ""
      return explanation.blamesProgram ? "\(reason)next: \(again)\n" : reason
    }
    return "mend: \(mend.sentence)\n" + (next.map { "next: \($0)\n" } ?? "")
  }

  /// What to type next; nil where nothing that can be typed mends it.
  private var next: String? {
    guard let mend = explanation.mend else { return nil }
    if mend.exchangesFiles {
      guard mend.repairs.isEmpty, !isMade else { return again }
      return
        "give the candidate what \(baseline) has beside its weights: configuration, tokenizer and "
        + "preprocessing files"
    }
    if let recipePath {
      let path = recipePath.contains("/") ? recipePath : "./" + recipePath
      return "ingot compress \(ShellWord.quoted(baseline)) --recipe \(ShellWord.quoted(path)) "
        + "--output …, with the same --references"
        + (isFitted ? "; it was fitted, so fit it again with --calibration" : "")
    }
    return hasRecipe
      ? "the same command with --write-recipe mended.yaml, and then ingot compress "
        + "\(ShellWord.quoted(baseline)) --recipe ./mended.yaml"
      : again
  }

  private var again: String {
    let cutsTexts = verdict.refusals.contains {
      if case .computation(.cut, _) = $0 { true } else { false }
    }
    return "make the candidate again from \(baseline)\(cutsTexts ? ", for longer texts" : "")"
  }

  /// Why no recipe could be written.
  static func whyNoRecipe(_ explanation: Explanation) -> String {
    if explanation.verdict.isPassed { return "the candidate passes, nothing needs a mend" }
    guard let mend = explanation.mend else { return "no mend was found" }
    return mend.exchangesFiles
      ? "the mend needs files beside the weights, which no recipe makes"
      : "a recipe is of one encoder, whose weights Ingot stored"
  }

  var json: JSONValue {
    .object(
      explanation.members.merging([
        "gate": verdict.json(Flags.name),
        "trees": .array(verdict.trees.map { .object($0.members) }),
      ]) { $1 })
  }
}
