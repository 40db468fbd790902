/// The message of what `body` throws; nil when it throws nothing.
package func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// The message of what `body` throws, where it must throw.
package func refusal(_ body: () throws -> Void) -> String {
  message(body) ?? "(nothing was thrown)"
}
