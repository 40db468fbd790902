import Files
import Project
import Store

/// Members of families that are made at the same time, each on one thread.
extension ModelWork {
  /// What came of one of them, to be told in its turn.
  struct Attempt: Sendable {
    let notices: [ModelNotice]
    let result: Result<MadeModel, any Error>
  }

  /// One of them, with all that it takes.
  private struct Work: Sendable {
    let job: BuildPlan.Job
    let inputs: JobInputs
    let key: ActionKey
    let onlyCached: Bool

    func attempt(by maker: ModelMaker) -> Attempt {
      var notices: [ModelNotice] = []
      let result = Result {
        try maker.make(job, inputs, key, onlyCached: onlyCached) { notices.append($0) }
      }
      return Attempt(notices: notices, result: result)
    }
  }

  /// Most members that are made together, for each thread.
  private static let togetherCount = 16

  /// The work that is done next: small members of one family, or one job.
  func makeableTogether(_ todo: [(job: Int, key: ActionKey)], from place: Int) -> Range<Int> {
    guard jobs > 1, let family = familyOfSmall(todo[place].job) else { return place..<place + 1 }
    let limit = min(
      todo.count, place + Self.togetherCount * jobs,
      (place / Self.deferredCount + 1) * Self.deferredCount)
    let end = todo[place..<limit].firstIndex { familyOfSmall($0.job) != family } ?? limit
    return place..<end
  }

  /// The family of a job that is about a small model; nil of any other.
  private func familyOfSmall(_ job: Int) -> String? {
    guard case .known(let inputs) = inputs[job], inputs.isSmall else { return nil }
    return plan.jobs[job].family
  }

  /// Makes models on all threads, or brings them back.
  ///
  /// - Returns: those that have no outcome yet, each work once.
  func attempt(
    _ todo: ArraySlice<(job: Int, key: ActionKey)>, cached: Set<String>
  ) -> [ActionKey: Attempt] {
    var keys: Set<ActionKey> = []
    let work = todo.compactMap { job, key -> Work? in
      guard isOpen(key), keys.insert(key).inserted, case .known(let inputs) = inputs[job] else {
        return nil
      }
      return Work(
        job: plan.jobs[job], inputs: inputs, key: key,
        onlyCached: cached.contains(key.description))
    }
    let maker = maker
    let attempts = Workers.map(work.count, jobs: jobs) { work[$0].attempt(by: maker) }
    return Dictionary(zip(work.map(\.key), attempts)) { first, _ in first }
  }
}
