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
    guard !verdict.isPassed, !candidate.models.isEmpty, !trained.models.isEmpty,
      verdict.isMendable
    else {
      culprits = verdict.culprits
      mend = nil
      return
    }
    progress(0)
    var search = MendSearch(
      try MendBench(of: gate, candidate.models, against: trained.models), of: verdict, jobs: jobs,
      progress: progress)
    mend = try search.run()
    culprits = verdict.culprits + search.further
  }

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

extension Verdict {
  /// Whether other weights or files can change the refusal: not where the baseline itself is at fault,
  /// texts need tokens that are gone, or all drift is of texts that are cut.
  fileprivate var isMendable: Bool {
    !refusals.contains { refusal in
      switch refusal {
      case .outputs(_, of: .baseline), .droppedTokens, .nothingMeasured: true
      case .weights(.notFinite(_, .baseline, _, _, _)), .weights(.count(_, .baseline, _, _, _)):
        true
      case .computation(.cut, _): causes?.isOfWeights == false && !blamesFiles
      default: false
      }
    }
  }
}

extension Verdict {
  /// Whether files beside the weights are not the baseline's.
  var blamesFiles: Bool {
    culprits.contains { [.tokenizer, .preprocessing].contains($0.subject) }
      || refusals.contains { refusal in
        switch refusal {
        case .computation(.pooling, _), .computation(.value, _), .computation(.unknown, _): true
        default: false
        }
      }
  }

  /// Whether it computes something that cannot be told.
  var isOfUnknownComputation: Bool {
    refusals.contains { if case .computation(.unknown, _) = $0 { true } else { false } }
  }
}
