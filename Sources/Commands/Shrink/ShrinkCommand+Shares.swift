import Gate
import Graph
import Inputs

extension ShrinkCommand {
  /// The references of the search and those of the verdict.
  func shares(
    of models: [Model], _ all: [Model], _ console: Console
  ) throws -> ReferenceShares {
    let given = try gate.references(references, for: models.first, console)
    try requireInputs(of: models, given)
    try gate.check(models, of: all, given)
    let shares = try explainingShares(for: models.first) {
      guard let verdict else {
        return try ReferenceShares(cutting: given, seenBy: all, jobs: jobs.count)
      }
      return try ReferenceShares(
        search: given, verdict: try gate.references(verdict, for: models.first, console),
        seenBy: all, jobs: jobs.count)
    }
    for share in [shares.search, shares.verdict] { try gate.check(models, of: all, share) }
    try Gate.checkKnownOutputs(of: all, on: given, jobs: jobs.count)
    return shares
  }

  /// Refuses references that would leave one of two encoders unjudged.
  private func requireInputs(of models: [Model], _ given: ReferenceSet) throws {
    let encoders = models.count > 1 ? models.compactMap(\.architecture.encoder) : []
    let reached = given.kinds.compactMap(\.encoder)
    guard let other = encoders.first(where: { !reached.contains($0) }) else { return }
    throw Failure(
      message:
        "\(references): has no input for the \(other.rawValue) encoder, which would not be judged",
      hint: "search the other one alone: --encoder \(other.other.rawValue)")
  }

  private func explainingShares(
    for model: Model?, _ work: () throws -> ReferenceShares
  ) throws -> ReferenceShares {
    do {
      return try gate.explaining(for: model, work)
    } catch let fault as ShareFault {
      throw Failure(message: fault.description, hint: ShrinkCommand.hint(fault))
    }
  }

  private static func hint(_ fault: ShareFault) -> String {
    switch fault {
    case .fewLines:
      "give \(ShareFault.enoughLines) lines or more that share no inputs, or a file for the verdict "
        + "alone: --verdict"
    case .shared:
      "a verdict proves something on inputs that the search did not see; take it out of one of the "
        + "two"
    }
  }
}
