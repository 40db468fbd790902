import Store

/// A part of a build's models, made on a machine of its own.
package struct Shard: Equatable, Sendable {
  /// From 1.
  package let number: Int
  package let count: Int

  /// Most shards of a build.
  package static let limit = 10_000

  /// Nil unless `1 ≤ number ≤ count ≤ limit`.
  package init?(number: Int, of count: Int) {
    guard (1...Shard.limit).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether a piece of work is this shard's: by its key, not by its place in a list, so that another
  /// customer does not move the work of all others.
  func holds(_ key: ActionKey) -> Bool {
    let remainder = key.description.utf8.reduce(0) { rest, digit in
      let value = digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - 87
      return (rest * 16 + Int(value)) % count
    }
    return remainder == number - 1
  }
}
