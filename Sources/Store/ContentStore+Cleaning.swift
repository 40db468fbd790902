package import Files
import Weights

extension ContentStore {
  /// Reads every result and re-hashes every blob but those whose size no result expects; changes
  /// nothing.
  ///
  /// - Parameter progress: told each step.
  package func check(
    progress: (StoreStep) -> Void = { _ in }
  ) throws(FileError) -> StoreReport {
    try StoreSurvey(of: layout, progress: progress).report
  }

  /// Removes what is corrupt, what killed writers left, results by age and size, and every blob that
  /// no result left names.
  ///
  /// Nothing else in this process may use the store meanwhile; another process that uses it is an
  /// error, and nothing is removed.
  ///
  /// - Parameters:
  ///   - days: results not used for more days than this are removed; a million at most.
  ///   - limit: results used least recently go until the store has at most this many bytes.
  ///   - now: seconds since 1970.
  ///   - progress: told each step.
  /// - Returns: the remaining content, the removed one, and its faults.
  package func collect(
    olderThan days: Int? = nil, keepingBytes limit: Int? = nil,
    now: Int = System.secondsSince1970, progress: (StoreStep) -> Void = { _ in }
  ) throws -> StoreReport {
    precondition((0...1_000_000).contains(days ?? 0), "a number of days")
    guard try lock.take(.exclusive) else {
      try lock.wait(for: .shared)
      throw StoreError.inUse(folder: folder)
    }
    let survey = try StoreSurvey(of: layout, progress: progress)
    let kept = survey.kept(since: days.map { now - $0 * 86_400 }, bytes: limit)
    let report = try clean(survey, keeping: kept, progress)
    try lock.wait(for: .shared)
    return report
  }

  /// Removes all that was surveyed but some results, by their indices, and what they name.
  private func clean(
    _ survey: StoreSurvey, keeping kept: Set<Int>, _ progress: (StoreStep) -> Void
  ) throws(FileError) -> StoreReport {
    var report = StoreReport()
    report.faults = survey.faults
    // Results first: if this ends halfway, what is left still names only what is there.
    var unwanted: [(path: String, byteCount: Int)] = []
    for (index, entry) in survey.entries.enumerated() {
      if kept.contains(index) {
        report.results.add(entry.status.byteCount)
      } else {
        unwanted.append((entry.path, entry.status.byteCount))
      }
    }
    let named = survey.digests(namedBy: kept)
    for (digest, blob) in survey.blobs {
      if named.contains(digest) {
        report.blobs.add(blob.byteCount)
      } else {
        unwanted.append((blob.path, blob.byteCount))
      }
    }
    unwanted += survey.leftovers.map { ($0.path, $0.status.byteCount) }
    for file in unwanted {
      try Folder.remove(file.path)
      report.removed.add(file.byteCount)
      progress(.removing(report.removed.count, of: unwanted.count))
    }
    return report
  }
}

extension StoreSurvey {
  /// The indices of the results that stay: sound, used since a second, and those used last as far as
  /// `bytes` reaches.
  fileprivate func kept(since second: Int?, bytes limit: Int?) -> Set<Int> {
    var kept: Set<Int> = []
    var counted: Set<ContentDigest> = []
    var byteCount = 0
    for index in byLastUse {
      let entry = entries[index]
      guard let result = entry.result, entry.status.modified >= second ?? .min else { continue }
      byteCount += entry.status.byteCount
      for output in result.blobs where counted.insert(output.digest).inserted {
        byteCount += output.byteCount
      }
      // Everything used before the first that does not fit goes too, small as it may be.
      if byteCount > limit ?? .max { break }
      kept.insert(index)
    }
    return kept
  }

  /// Indices of results, the one used last first; names decide between equals.
  private var byLastUse: [Int] {
    entries.indices.sorted {
      let (left, right) = (entries[$0], entries[$1])
      if left.status.modified != right.status.modified {
        return left.status.modified > right.status.modified
      }
      return left.path.utf8.lexicographicallyPrecedes(right.path.utf8)
    }
  }

  fileprivate func digests(namedBy indices: Set<Int>) -> Set<ContentDigest> {
    var digests: Set<ContentDigest> = []
    for index in indices {
      for output in entries[index].result?.blobs ?? [] { digests.insert(output.digest) }
    }
    return digests
  }
}
