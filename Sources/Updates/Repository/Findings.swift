import Files

/// What a run found out, by name, for many threads. Who finds something out keeps those waiting that ask for the
/// same, and nobody else.
final class Findings<Value: Sendable>: Sendable {
  private final class Finding: Sendable {
    let value = Mutex<Value?>(nil)
  }

  private let all = Mutex<[String: Finding]>([:])

  /// What is known, or what `body` finds out; where that is nothing, the next one tries again.
  func value(_ name: String, _ body: () throws -> Value?) rethrows -> Value? {
    let finding = all.withLock { all in
      if let finding = all[name] { return finding }
      let finding = Finding()
      all[name] = finding
      return finding
    }
    return try finding.value.withLock { value in
      if let value { return value }
      value = try body()
      return value
    }
  }
}
