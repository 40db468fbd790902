package import StrictJSON

/// The content of a store, its faults, and what was removed.
package struct StoreReport: Equatable, Sendable {
  /// A number of files and their bytes.
  package struct Amount: Equatable, Sendable {
    package internal(set) var count = 0
    package internal(set) var byteCount = 0

    mutating func add(_ byteCount: Int) {
      count += 1
      self.byteCount += byteCount
    }
  }

  /// Results of actions that are in the store, sound or not.
  package internal(set) var results = Amount()
  /// Blobs that are in the store, sound or not.
  package internal(set) var blobs = Amount()
  /// Unfinished files of writers that were killed.
  package internal(set) var leftovers = Amount()
  /// Files that are corrupt or cannot be read, one line each.
  package internal(set) var faults: [String] = []
  /// Files of any kind that were removed.
  package internal(set) var removed = Amount()

  /// Bytes of everything that is in the store.
  package var byteCount: Int { results.byteCount + blobs.byteCount + leftovers.byteCount }

  package var json: JSONValue {
    [
      "results": results.json, "blobs": blobs.json, "leftovers": leftovers.json,
      "removed": removed.json, "bytes": .integer(byteCount),
      "faults": .array(faults.map { .string($0) }),
    ]
  }
}

extension StoreReport.Amount {
  fileprivate var json: JSONValue { ["count": .integer(count), "bytes": .integer(byteCount)] }
}
