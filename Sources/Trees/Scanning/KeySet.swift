/// The keys of an object that were seen: few as a rule, and then quickly compared.
struct KeySet {
  private static let few = 32

  private var keys: [String] = []
  private var many: Set<String> = []

  var count: Int { max(keys.count, many.count) }

  /// Notes a key; false if it was seen.
  mutating func insert(_ key: String) -> Bool {
    if many.isEmpty {
      guard !keys.contains(key) else { return false }
      keys.append(key)
      if keys.count > Self.few {
        many = Set(keys)
        keys = []
      }
      return true
    }
    return many.insert(key).inserted
  }
}
