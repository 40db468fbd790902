import Gate
import Inputs
import Search
import StrictJSON
import WeightCompression
import Weights

/// The two sets of references of a search.
struct ReferenceShares {
  let search: ReferenceSet
  let verdict: ReferenceSet

  /// Fails where a share is too small to prove anything.
  func requireEnough(of given: ReferenceSet) throws {
    // Few may be meant to be enough; none never are.
    let needed = given.isFewMeant ? 1 : ReferenceSet.fewestLines
    for (share, name) in [(search, "search"), (verdict, "verdict")]
    where share.content.count < needed {
      throw Failure(
        message: SearchError.fewLines(
          references: given.origin, share: name, lines: share.content.count, needed: needed
        ).description,
        hint:
          "give \(4 * ReferenceSet.fewestLines) lines or more that share no inputs, or a file for the verdict "
          + "alone: --verdict")
    }
  }

  /// Fails where both hold an input.
  func requireApart() throws {
    let seen = Set(search.inputs)
    guard let number = verdict.inputs.firstIndex(where: seen.contains) else { return }
    throw Failure(
      message: "\(verdict.origin):\(verdict.lines[number]): \(verdict.inputs[number].label) is an "
        + "input of \(search.origin) too",
      hint: "a verdict proves something on inputs that the search did not see; take it out of one "
        + "of the two")
  }
}

/// What a search tried.
struct SearchReport {
  let trials: [Trial]
  let shares: ReferenceShares

  private func count(_ share: ReferenceSet.Share) -> Int { trials.count { $0.share == share } }

  /// How many candidates were judged, and by what.
  var summary: String {
    "\(Figures.count(count(.search), "candidate")) judged by \(shares.search.content.words) of the "
      + "search, \(count(.verdict)) by \(shares.verdict.content.words) of the verdict\n"
  }

  /// A line for each candidate.
  var table: String {
    var table = TextTable([
      ("candidate", .right), ("weights", .right), ("predicted loss", .right), ("judged by", .left),
      ("limits used", .right), ("verdict", .left),
    ])
    for (number, trial) in trials.enumerated() {
      table.add([
        "\(number + 1)", Figures.bytes(trial.weightBytes),
        Figures.significant(trial.predictedLoss), trial.share.rawValue,
        trial.use.isFinite ? "\(Int((100 * trial.use).rounded())) %" : "–",
        trial.verdict.isPassed ? "passed" : "refused",
      ])
    }
    return table.text
  }

  /// The members of another answer, and those of the search.
  func json(_ answer: JSONValue, recipe: Recipe?) -> JSONValue {
    guard case .object(var members) = answer else { return answer }
    members["recipe"] =
      recipe.map { ["name": .string($0.name), "digest": .string($0.digest)] } ?? .null
    members["search"] = [
      "trials": .array(
        trials.map { trial in
          [
            "share": .string(trial.share.rawValue), "weightBytes": .integer(trial.weightBytes),
            "predictedLoss": .double(trial.predictedLoss), "limitsUsed": .double(trial.use),
            "verdict": .string(trial.verdict.isPassed ? "passed" : "refused"),
            "metrics": trial.verdict.metrics?.json ?? .null,
          ]
        }),
      "references": [
        "search": reference(shares.search), "verdict": reference(shares.verdict),
      ],
    ]
    return .object(members)
  }

  private func reference(_ set: ReferenceSet) -> JSONValue {
    ["lines": .integer(set.content.count), "sha256": .string(set.digest.hex)]
  }
}
