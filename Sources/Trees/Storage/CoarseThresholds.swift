/// How coarse the thresholds of an ensemble may be.
package enum CoarseThresholds: Hashable, Sendable {
  /// Numbers of half precision.
  case halves
  /// So many evenly spaced numbers of each feature as 8 bits with a sign have: `evenCount`.
  case evenlySpaced
  /// 2^bits numbers of each feature.
  case few(bits: Int)

  /// Numbers of a feature that are evenly spaced.
  package static let evenCount = 255

  /// How far a threshold may move at most, as a share of the range that its feature has: half a step of as many
  /// evenly spaced numbers over that range; of halves as of 8 bits.
  package var share: Double {
    switch self {
    case .halves: 0x1p-9
    case .evenlySpaced: 0.5 / Double(Self.evenCount - 1)
    case .few(let bits): 0.5 / Double(1 << bits)
    }
  }

  /// As files and people name it: `float16`, `int8`, or `palettize 4`.
  package var words: String {
    switch self {
    case .halves: "float16"
    case .evenlySpaced: "int8"
    case .few(let bits): "palettize \(bits)"
    }
  }

  private static let all: [CoarseThresholds] =
    [.halves, .evenlySpaced] + [1, 2, 3, 4, 6, 8].map { .few(bits: $0) }

  /// Reads `words`; nil for any other text.
  package init?(words: String) {
    guard let found = Self.all.first(where: { $0.words == words }) else { return nil }
    self = found
  }
}
