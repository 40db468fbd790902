/// The tokens of a text, or of two texts that a model reads together.
package struct TextTokens: Hashable, Sendable {
  package var ids: [Int32]
  /// The type of each token; empty where all are 0.
  package var types: [Int32]

  package init(_ ids: [Int32], types: [Int32] = []) {
    self.ids = ids
    self.types = types
  }

  /// Number of tokens.
  package var count: Int { ids.count }

  /// The type of each token.
  package var allTypes: [Int32] {
    types.isEmpty ? Array(repeating: 0, count: ids.count) : types
  }
}
