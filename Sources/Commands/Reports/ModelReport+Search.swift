import Calibration
import Gate
import Inputs
import Reports
import Search
import WeightCompression

extension ModelReport {
  /// What a search found, or why it found nothing.
  init(
    _ name: String, _ outcome: Search.Outcome, _ trials: [Trial], _ request: Search.Request
  ) throws {
    let shares = request.shares
    let (verdict, judging) =
      switch outcome {
      case .found(_, let verdict, _): (verdict, shares.verdict)
      case .refused(let nearest, let verdict): (verdict, shares[nearest.share])
      }
    try self.init(name, verdict, on: judging.images)
    isSearch = true
    budget = request.budget
    candidates = trials.enumerated().map {
      Candidate(JudgedTrial($0.element), number: $0.offset + 1)
    }
    for (place, part) in request.parts.enumerated() {
      let receipts = verdict.receipts.dropFirst(place).prefix(1)
      try take(trained: part.model, receipts: Array(receipts))
    }
    switch outcome {
    case .found(let written, _, let recipes):
      for model in written { take(model) }
      for recipe in recipes {
        digests.append(NamedDigest("recipe '\(recipe.name)'", recipe.digest))
      }
    case .refused(let nearest, _):
      notes = ["Nothing was written. Shown is the candidate that came nearest."]
      weights = ReportedWeight.all(
        of: nearest.planned, byteCounts: nearest.planned.map(\.byteCount))
    }
    take(shares.search, as: "references of the search")
    take(shares.verdict, as: "references of the verdict")
    take(request.parts.first?.calibration)
  }
}
