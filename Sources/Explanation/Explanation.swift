package import Gate
import Graph
package import Inputs
package import StrictJSON
import WeightCompression

/// Why a candidate drifts, and what would mend it.
package struct Explanation: Sendable {
  package let verdict: Verdict
  /// What makes it drift, the worst first.
  package let culprits: [Culprit]
  /// The cheapest change that was found; nil if it passes, and where nothing can be changed.
  package let mend: Mend?
  /// Why there is none, as words that follow a colon; nil if there is one.
  package let whyNoMend: String?

  /// Looks for what would mend a candidate that was refused.
  ///
  /// - Parameters:
  ///   - gate: that refused it.
  ///   - candidate: as it was judged.
  ///   - progress: told before each try how many there were.
  /// - Throws: as the gate and compression.
  package init(
    of verdict: Verdict, by gate: Gate, _ candidate: GateSide, against trained: GateSide,
    jobs: Int, progress: @escaping (Int) -> Void = { _ in }
  ) throws {
    self.verdict = verdict
    let obstacle = verdict.obstacle
    guard obstacle == nil, !candidate.models.isEmpty, !trained.models.isEmpty else {
      (culprits, mend, whyNoMend) = (verdict.culprits, nil, obstacle ?? Self.nothingToChange)
      return
    }
    progress(0)
    var search = MendSearch(
      try MendBench(of: gate, candidate.models, against: trained.models), of: verdict, jobs: jobs,
      progress: progress)
    mend = try search.run()
    culprits = verdict.culprits + search.further
    let isOther = culprits.contains { $0.subject == .program }
    whyNoMend = mend != nil ? nil : isOther ? Self.otherProgram : Self.nothingToChange
  }

  /// Whether the candidate computes something else, or reads less of its texts, than the baseline.
  package var blamesProgram: Bool { culprits.contains { $0.subject == .program } }

  /// Whether a mend can be looked for beside a refusal, which nobody should have to wait for: each try
  /// runs all references.
  package static func isQuick(on references: ReferenceSet) -> Bool {
    let images = references.inputs.count { $0.kind == .image }
    return images <= mostImages && references.inputs.count <= mostInputs
  }

  private static let mostInputs = 1500
  private static let mostImages = 64

  /// The members of an answer: `culprits` and `mend`.
  package var members: [String: JSONValue] {
    [
      "culprits": .array(culprits.map(\.json)), "mend": mend?.json ?? .null,
      "together": verdict.causes?.together?.json ?? .null,
    ]
  }
}

extension Explanation {
  fileprivate static let nothingToChange = "no weight of it can be stored otherwise"
  fileprivate static let otherProgram = "with no weights does it compute what the baseline does"
}

extension Verdict {
  /// Why nothing about the candidate can change the verdict; nil where something may: it passes, the
  /// baseline itself is at fault, texts need tokens that are gone, or all drift is of texts that are cut.
  fileprivate var obstacle: String? {
    if isPassed { return "nothing needs one" }
    for refusal in refusals {
      switch refusal {
      case .outputs(_, of: .baseline), .weights(.notFinite(_, .baseline, _, _, _)),
        .weights(.count(_, .baseline, _, _, _)):
        return "the baseline itself is at fault"
      case .droppedTokens: return "its tokens do not reach"
      case .nothingMeasured: return "nothing was measured"
      case .computation(.cut, _) where causes?.isOfWeights == false && !blamesFiles:
        return "it reads too little of the texts"
      default: break
      }
    }
    return nil
  }
}

extension Verdict {
  /// Whether files beside the weights are not the baseline's.
  var blamesFiles: Bool {
    culprits.contains { [.tokenizer, .preprocessing].contains($0.subject) }
      || refusals.contains { refusal in
        switch refusal {
        case .computation(.pooling, _), .computation(.value, _), .computation(.part, _),
          .computation(.unknown, _):
          true
        default: false
        }
      }
  }

  /// Whether it computes something that cannot be told.
  var isOfUnknownComputation: Bool {
    refusals.contains { if case .computation(.unknown, _) = $0 { true } else { false } }
  }
}
