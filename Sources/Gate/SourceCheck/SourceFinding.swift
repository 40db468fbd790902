package import Files
import Graph
import Inputs
package import StrictJSON
import Weights

/// The result of comparing a model with outputs that were made elsewhere.
package struct SourceFinding: Sendable {
  /// One encoder, or the whole model.
  struct Part {
    let model: Model
    /// The inputs it ran, by number.
    let rows: [Int]
    /// The model's outputs for the inputs.
    let outputs: OutputMatrix
    let comparison: SourceComparison
    /// Nil when a row differs.
    let agreement: SourceAgreement?
  }

  let check: SourceCheck
  let parts: [Part]
  /// Possible causes, likeliest first; empty if everything agrees.
  package let hints: [SourceHint]

  init(check: SourceCheck, parts: [Part]) throws {
    self.check = check
    self.parts = parts
    hints = try parts.filter { $0.agreement == nil }.flatMap { part in
      try SourceHints(check, part).all
    }
  }

  /// Whether every row agrees.
  package var isAgreed: Bool { parts.allSatisfy { $0.agreement != nil } }

  /// The proofs, one for each model that ran; empty unless every row agrees.
  package var agreements: [SourceAgreement] { isAgreed ? parts.compactMap(\.agreement) : [] }

  /// Why the outputs disagree: how many inputs, the worst of them with both numbers, and hints;
  /// empty if they agree.
  package func reasons(_ name: UserOption.Names) -> [String] {
    isAgreed ? [] : [summary] + worstLines + hints.map { $0.sentence(name) }
  }

  /// One line for people.
  package var words: String {
    isAgreed ? agreements.map(\.record.words).joined(separator: "; ") : summary
  }

  private var failingCount: Int { parts.reduce(0) { $0 + $1.comparison.failing.count } }

  private var summary: String {
    "disagrees with \(check.origin) on \(failingCount) of "
      + "\(Figures.count(check.lines.inputs.count, "input")): \(figures)"
  }

  private var figures: String {
    let cosines = parts.compactMap(\.comparison.cosine)
    if let part = parts.first(where: { $0.comparison.stepsOfSumsAlone != nil }),
      let steps = part.comparison.stepsOfSumsAlone, let rule = part.comparison.sums
    {
      return rule.words(steps)
    }
    let difference = Figures.plain(maxDifference)
    let maximum = Figures.plain(SourceComparison.differenceLimit)
    guard let minimum = cosines.map(\.min).min(), let mean = cosines.map(\.mean).min() else {
      return "differences up to \(difference), at most \(maximum) is tolerated"
    }
    let differences =
      "differences up to \(difference) of a vector's length, where \(maximum) is tolerated"
    let needed = check.type.minCosine
    guard minimum >= needed else {
      return "cosine min \(Figures.text(minimum, unlike: needed, fewest: 4)), mean "
        + "\(Figures.text(mean, unlike: 1, fewest: 4)), where \(Figures.plain(needed)) is needed; "
        + differences
    }
    guard let worst = self.worst.first, let lengths = self.lengths(worst.part, worst.row) else {
      return "every direction agrees; \(differences)"
    }
    return "every direction agrees and lengths differ: found \(lengths.ours), given "
      + "\(lengths.theirs); \(differences)"
  }

  /// Lengths of two vectors of one direction, where they differ by more than is tolerated.
  private func lengths(_ part: Part, _ row: Int) -> (ours: String, theirs: String)? {
    guard let cosine = part.comparison.rows[row].cosine, cosine >= check.type.minCosine else {
      return nil
    }
    let ours = SourceFinding.length(part.outputs[row])
    let theirs = SourceFinding.length(check.vectors[part.rows[row]])
    guard (ours - theirs).magnitude > SourceComparison.differenceLimit * theirs else { return nil }
    let decimals = Figures.decimals(ours, theirs)
    return (Figures.text(ours, decimals: decimals), Figures.text(theirs, decimals: decimals))
  }

  private static func length(_ row: some Sequence<Float>) -> Double {
    row.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
  }

  private var maxDifference: Double { parts.map(\.comparison.maxDifference).max() ?? 0 }

  /// The rows that differ most, as (part, row in it); at most five.
  private var worst: [(part: Part, row: Int)] {
    Array(parts.flatMap { part in part.comparison.failing.map { (part, $0) } }.prefix(5))
  }

  private var worstLines: [String] {
    worst.map { part, row in
      let found = part.comparison.rows[row]
      let (ours, theirs) = pair(part, row)
      let column = check.vectors.width > 1 ? "number \(found.column + 1) of the row: " : ""
      if found.isOfSumsAlone {
        return "\(check.place(part.rows[row])): \(column)given \(Float(theirs)), the model gives "
          + "\(Float(ours))"
      }
      let cosine =
        lengths(part, row).map { "length \($0.ours), given \($0.theirs); " }
        ?? found.cosine.map { "cosine \(Figures.text($0, unlike: 1, fewest: 4)), " } ?? ""
      return "\(check.place(part.rows[row])): \(cosine)\(column)given \(Figures.short(theirs)), "
        + "the model gives \(Figures.short(ours))"
    }
  }

  // The two numbers that differ most.
  private func pair(_ part: Part, _ row: Int) -> (ours: Double, theirs: Double) {
    let column = part.comparison.rows[row].column
    let width = check.vectors.width
    return (
      Double(part.outputs.values[row * width + column]),
      Double(check.vectors.values[part.rows[row] * width + column])
    )
  }

  /// The `sourceCheck` of `--json`.
  package func json(_ name: UserOption.Names) -> JSONValue { .object(members(name)) }

  /// A disagreement as one of the `findings` of a model that was refused for it.
  package func finding(_ name: UserOption.Names) -> JSONValue {
    .object(
      members(name).merging([
        "id": .string(FindingID.sourceCheck.rawValue), "severity": "refused",
        "sentence": .string(summary),
      ]) { $1 })
  }

  private func members(_ name: UserOption.Names) -> FindingMembers {
    var members: FindingMembers = [
      "verdict": .string(isAgreed ? "agrees" : "disagrees"),
      "inputs": .integer(check.lines.inputs.count), "maxDifference": .double(maxDifference),
      "failing": .integer(failingCount), "hints": .array(hints.map { .string($0.sentence(name)) }),
      "causes": .array(hints.map { $0.json(name) }),
      "vectors": [
        "sha256": .string(check.vectorsDigest.hex), "type": .string(check.type.rawValue),
      ],
      "inputsSha256": .string(check.inputsDigest.hex), "worst": .array(worstJSON),
    ]
    let cosines = parts.compactMap(\.comparison.cosine)
    if let minimum = cosines.map(\.min).min(), let mean = cosines.map(\.mean).min() {
      members["cosine"] = ["min": .double(minimum), "mean": .double(mean)]
    }
    return members
  }

  private var worstJSON: [JSONValue] {
    worst.map { part, row in
      let found = part.comparison.rows[row]
      let (ours, theirs) = pair(part, row)
      return [
        "line": .integer(check.lines.lines[part.rows[row]]),
        "input": .string(check.lines.inputs[part.rows[row]].label),
        "cosine": found.cosine.map(JSONValue.double) ?? .null,
        "difference": .double(found.difference), "column": .integer(found.column),
        "given": .double(theirs), "model": .double(ours),
        "steps": found.steps.map(JSONValue.integer) ?? .null,
      ]
    }
  }
}
