import Files
import Weights

/// Results of a remote store that turned out to be useless.
struct UselessResults {
  /// Blobs; some may be of other results, too.
  var blobs: Set<ContentDigest> = []
  /// Results that were taken over here, by their keys.
  var results: [ActionKey: ActionResult] = [:]

  var isEmpty: Bool { blobs.isEmpty && results.isEmpty }
}

extension ContentStore {
  /// Accepts a returned result: it is the one that its key promises.
  package func accept(_ key: ActionKey) {
    guard let trial = remote?.end(key, isOfUse: true, warn: warn) else { return }
    room.giveBack(trial.byteCount)
  }

  /// Says that a returned result is of no use. If it came from the remote store, its time counts as
  /// lost, and `removeUseless` takes it away.
  package func reject(_ key: ActionKey) { _ = drop(key, localResult(for: key)) }

  /// Notes that the result for a key is useless.
  ///
  /// - Returns: bytes of the blobs that came.
  func drop(_ key: ActionKey, _ result: ActionResult?) -> Int {
    guard let trial = remote?.end(key, isOfUse: false, warn: warn) else { return 0 }
    useless.withLock { useless in
      useless.blobs.formUnion(trial.fetched.map(\.digest))
      if let result { useless.results[key] = result }
    }
    return trial.byteCount
  }

  /// Removes the blobs of rejected results, except those that another result names.
  ///
  /// Nothing else in this process may use the store any more. Where another process uses it, blobs
  /// wait for the next cleaning.
  package func removeUseless() {
    let rejected = useless.withLock { useless in
      defer { useless = UselessResults() }
      return useless
    }
    guard !rejected.isEmpty else { return }
    do {
      if try lock.take(.exclusive) { try remove(rejected) }
      try lock.wait(for: .shared)
    } catch {
      warn("\(error)")
    }
  }

  private func remove(_ rejected: UselessResults) throws(FileError) {
    // Results first: if this ends halfway, what is left still names only what is there.
    for (key, result) in rejected.results where localResult(for: key) == result {
      try Folder.remove(layout.path(of: key))
    }
    var unnamed = rejected.blobs
    for item in try StoreListing(of: .results, in: layout).items {
      guard let result = localResult(for: ActionKey(digest: item.digest)) else { continue }
      unnamed.subtract(result.blobs.map(\.digest))
    }
    for digest in unnamed where Folder.kind(of: layout.path(of: digest)) != .missing {
      try Folder.remove(layout.path(of: digest))
    }
  }
}
