import Explanation
import Formats
import Gate
import Graph
import Inputs
import Search
import StrictJSON
import WeightCompression
import Weights

/// What a search tried.
struct SearchReport {
  let trials: [Trial]
  let shares: ReferenceShares
  /// Whether it was ended before its end.
  var isInterrupted = false

  private func count(_ share: ReferenceSet.Share) -> Int { trials.count { $0.share == share } }

  /// How many candidates were judged, and by what.
  var summary: String {
    (isInterrupted ? "interrupted: the best so far; smaller ones were not tried\n" : "")
      + "\(Figures.count(count(.search), "candidate")) judged by \(shares.search.content.words) of the "
      + "search, \(count(.verdict)) by \(shares.verdict.content.words) of the verdict\n" + obstacle
  }

  /// Why the largest of the smaller ones was refused; where none was, what is nearest to its limit.
  private var obstacle: String {
    guard let found = trials.last(where: { $0.verdict.isPassed }) else { return "" }
    let smaller = trials.filter {
      $0.isWhole && !$0.verdict.isPassed && $0.weightBytes < found.weightBytes
    }
    if let refused = smaller.max(by: { $0.weightBytes < $1.weightBytes }),
      let reason = refused.verdict.reasons.first
    {
      return "\(Figures.bytes(refused.weightBytes)) of weights were refused: \(reason)\n"
    }
    guard let metrics = found.verdict.metrics,
      let nearest = found.verdict.limits.tightest(metrics)
    else { return "" }
    return "nearest to its limit: \(nearest.name) "
      + "\(Figures.text(nearest.value, unlike: nearest.limit, fewest: 4)); "
      + "\(nearest.key.isFloor ? "at least" : "at most") \(Figures.plain(nearest.limit)) passes\n"
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

  /// The answer for what was written: that of `compress`, and what was searched. Of two encoders each
  /// has its own under its name.
  func json(
    _ models: [CompressionReport], of request: Search.Request, _ recipes: [Recipe]
  ) -> JSONValue {
    var answers = zip(models, recipes).map { model, recipe in
      model.json.adding([
        "recipe": ["name": .string(recipe.name), "digest": .string(recipe.digest)]
      ])
    }
    guard models.count > 1 else { return answers.removeFirst().adding(["search": search]) }
    let encoders = request.parts.map { $0.model.architecture.encoder?.rawValue ?? "model" }
    return [
      "encoders": .object(Dictionary(zip(encoders, answers)) { first, _ in first }),
      "gate": models[0].verdict?.json(Flags.name) ?? .null,
      "sizeBytes": .integer(models.reduce(0) { $0 + $1.model.byteCount }), "search": search,
    ]
  }

  /// The answer for a search that found nothing.
  func json(refused verdict: Verdict, _ mend: RefusalMend?) -> JSONValue {
    [
      "gate": verdict.json(Flags.name), "sizeBytes": .null, "recipe": .null, "search": search,
      "explanation": mend?.json ?? .null,
    ]
  }

  private var search: JSONValue {
    [
      "interrupted": .bool(isInterrupted),
      "trials": .array(
        trials.map { trial in
          [
            "share": .string(trial.share.rawValue), "weightBytes": .integer(trial.weightBytes),
            "predictedLoss": .double(trial.predictedLoss), "limitsUsed": .double(trial.use),
            "verdict": .string(trial.verdict.isPassed ? "passed" : "refused"),
            "reasons": .array(trial.verdict.reasons.map { .string($0) }),
            "metrics": trial.verdict.metrics?.json ?? .null,
          ]
        }),
      "references": [
        "search": reference(shares.search), "verdict": reference(shares.verdict),
      ],
    ]
  }

  private func reference(_ set: ReferenceSet) -> JSONValue {
    ["lines": .integer(set.content.count), "sha256": .string(set.digest.hex)]
  }
}

extension JSONValue {
  /// The members of an object, and others.
  fileprivate func adding(_ others: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = self else { return self }
    return .object(members.merging(others) { _, last in last })
  }
}
