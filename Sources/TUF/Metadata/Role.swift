package import StrictJSON

/// Who may sign metadata of one kind: some keys, and how many of them must.
package struct Role: Equatable, Sendable {
  /// Each once.
  package let keyIDs: [String]
  /// At least 1.
  package let threshold: Int

  package init(keyIDs: [String], threshold: Int) {
    (self.keyIDs, self.threshold) = (keyIDs, threshold)
  }

  init(_ object: JSONObject) throws(JSONError) {
    var ids: [String] = []
    for node in try object.array("keyids") {
      guard let id = node.string else {
        throw object.error("a key's name is \(node.kind), expected a string", at: node.position)
      }
      guard !ids.contains(id) else {
        throw object.error("names the key \(quoted(id)) twice", at: node.position)
      }
      ids.append(id)
    }
    keyIDs = ids
    threshold = try object.integer("threshold", in: 1...Int.max)
  }

  package var json: JSONValue {
    ["keyids": .array(keyIDs.map { .string($0) }), "threshold": .integer(threshold)]
  }
}

/// Keys by the names that roles call them, of a root or of targets that delegate.
package struct KeyRing: Equatable, Sendable {
  private let keys: [String: MetadataKey]

  package init(_ keys: [MetadataKey]) {
    self.keys = Dictionary(keys.map { ($0.id, $0) }) { first, _ in first }
  }

  init(_ object: JSONObject) throws(JSONError) {
    var keys: [String: MetadataKey] = [:]
    for (id, node) in object.members {
      guard let key = node.object else {
        throw object.error("the key \(quoted(id)) is \(node.kind)", at: node.position)
      }
      keys[id] = try MetadataKey(key)
    }
    self.keys = keys
  }

  package subscript(id: String) -> MetadataKey? { keys[id] }

  package var json: JSONValue { .object(keys.mapValues(\.json)) }
}
