import Files

/// Counts batches as they begin and reports how many inputs are done by then.
///
/// Each thread asks for a batch when it is done with the one before, so when batch `k` begins all
/// but `jobs` of those before it are done. The reported number is an estimate for people.
final class ProgressCounter: Sendable {
  private let begun = Mutex(0)
  /// Inputs in the first `k` batches, by `k`.
  private let inputsBefore: [Int]
  private let jobs: Int
  private let report: @Sendable (Int, Int) -> Void

  init(batches: [Batch], jobs: Int, report: @escaping @Sendable (Int, Int) -> Void) {
    var inputsBefore = [0]
    for batch in batches {
      inputsBefore.append(inputsBefore[inputsBefore.count - 1] + batch.rows.count)
    }
    self.inputsBefore = inputsBefore
    self.jobs = jobs
    self.report = report
  }

  /// A batch begins.
  func begin() {
    let done = begun.withLock { count in
      count += 1
      return count - 1 - jobs
    }
    if done > 0, done < inputsBefore.count {
      report(inputsBefore[done], inputsBefore[inputsBefore.count - 1])
    }
  }
}
