import Files
import Gate
import Graph
import Inputs

// The references of a search: those that it sees, and those of the verdict.
extension JobCheck {
  /// Notes the faults of both; nil where there are some, and without a search.
  func checkShares(
    of job: BuildPlan.Job, words: String, _ models: [Model], _ shipping: [Model],
    _ given: ReferenceSet
  ) -> ReferenceShares? {
    let place = job.verdictPlace ?? job.referencesPlace
    if let path = job.key.verdict {
      guard log.holds(path, "\(words): the verdict's reference set", at: place) else {
        return nil
      }
      guard Folder.kind(of: path) != .missing else {
        let missing = MissingPath(path)
        log.faults.add(
          .missingReferences, place, "\(words): \(missing.words("the verdict's reference set"))",
          hint: missing.hint)
        return nil
      }
    }
    let example = models.first.map(ExampleLine.referenceHint)
    do {
      guard let shares = try job.key.shares(of: given, seenBy: models, jobs: System.processorCount)
      else { return nil }
      for share in [shares.search, shares.verdict] {
        try Gate.check(
          baseline: models, candidate: shipping, on: share, limits: Limits(job.key.limits),
          threshold: job.key.threshold)
      }
      return shares
    } catch let fault where isOfTooFew(fault) {
      log.faults.add(
        .smallReferenceSet, place, "\(words): \(fault)",
        hint: "a search is proven on references that it does not see: give "
          + "\(ShareFault.enoughLines) lines or more that share no inputs, or a file for the verdict "
          + "alone: 'smallest: {verdict: others.jsonl}'")
    } catch ShareFault.shared(let own, let other, _) {
      log.faults.add(
        .unfitReferences, Place(file: own.origin, line: own.line, column: 1),
        "\(words): an input of the verdict is to the model one of the search's references "
          + "(\(other.origin):\(other.line))",
        hint: "take it out of one of the two")
    } catch {
      note(.unfitReferences, place, words, error, example: example)
    }
    return nil
  }

  private func isOfTooFew(_ error: any Error) -> Bool {
    switch error {
    case ShareFault.fewLines, EvaluationError.fewReferences: true
    default: false
    }
  }
}
