package import Gate
package import StrictJSON

/// The result of proving the models of a package again.
package struct ReplayReport: Equatable, Sendable {
  /// The outcome of one model's proof.
  package enum Outcome: Equatable, Sendable {
    /// The gate ran and wrote the receipt that is recorded.
    case proven
    /// The source, the reference set, or the gate's figures differ from the recorded ones.
    case differs([ReplayDifference])
    /// The gate refuses the model now.
    case refused(ModelRefusal)
    /// There is nothing to run: the project does not know the model, or its source cannot be read.
    case impossible(reason: String)
  }

  /// One model of the package.
  package struct Model: Equatable, Sendable {
    package let name: String
    /// The family whose member it is; nil if it is of none.
    package var family: String? = nil
    package let outcome: Outcome
    /// The limits in its receipt, which it was held to again.
    package var limits: Limits? = nil
  }

  /// In the order of the manifest.
  package let models: [Model]

  /// Whether every model was proven again.
  package var isProven: Bool { models.allSatisfy { $0.outcome == .proven } }

  /// Whether a model is not what its receipt says; not so when one could merely not be run.
  package var isContradicted: Bool {
    models.contains { model in
      switch model.outcome {
      case .differs, .refused: true
      case .proven, .impossible: false
      }
    }
  }

  /// One line a model, for people; one for all members of a family that were proven alike.
  package var summary: String {
    func group(_ model: Model) -> String? {
      guard let family = model.family, model.outcome == .proven else { return nil }
      return "\(family)\n\(model.words)"
    }
    let counts = models.reduce(into: [String: Int]()) { counts, model in
      if let group = group(model) { counts[group, default: 0] += 1 }
    }
    var told: Set<String> = []
    return models.compactMap { model in
      guard let group = group(model), let family = model.family else {
        return "  model '\(model.name)': \(model.words)\n"
      }
      guard told.insert(group).inserted else { return nil }
      return "  family '\(family)': \(Figures.count(counts[group] ?? 0, "model")) \(model.words)\n"
    }.joined()
  }

  /// Why models were not proven, one line each, and the verdicts of looser profiles.
  package var reasons: [String] {
    models.flatMap { model in model.outcome.lines.map { "model '\(model.name)': \($0)" } }
  }

  /// The `replay` of `ingot verify --json`.
  package var json: JSONValue { .array(models.map(\.json)) }
}

extension ReplayReport.Model {
  fileprivate var words: String {
    guard outcome == .proven, let limits else { return outcome.words }
    return "\(outcome.words), passed \(limits.words)"
  }

  fileprivate var json: JSONValue {
    var members: [String: JSONValue] = [
      "model": .string(name), "verdict": .string(outcome.verdict),
      "reasons": .array(outcome.reasons.map(JSONValue.string)),
    ]
    members["limits"] = limits?.report
    switch outcome {
    case .proven, .impossible: break
    case .differs(let differences): members["differences"] = .array(differences.map(\.json))
    case .refused(let refusal):
      members["profiles"] = refusal.outlooks.json
      members["findings"] = refusal.findings.report
    }
    return .object(members)
  }
}

extension ReplayReport.Outcome {
  /// One word for programs.
  fileprivate var verdict: String {
    switch self {
    case .proven: "proven"
    case .differs: "differs"
    case .refused: "refused"
    case .impossible: "impossible"
    }
  }

  fileprivate var words: String {
    switch self {
    case .proven: "proven again"
    case .differs: "differs from its receipt"
    case .refused: "refused by the gate"
    case .impossible: "cannot be proven again"
    }
  }

  /// The reasons, and of a refusal the verdicts of looser profiles.
  fileprivate var lines: [String] {
    if case .refused(let refusal) = self { refusal.lines } else { reasons }
  }

  fileprivate var reasons: [String] {
    switch self {
    case .proven: []
    case .differs(let differences): differences.map(\.sentence)
    case .refused(let refusal): refusal.reasons
    case .impossible(let reason): reason.split(separator: "\n").map(String.init)
    }
  }
}
