import Weights

/// Copies of texts in which some tokens are others of the vocabulary, so that layers are fitted to
/// more than the few words of a calibration set.
///
/// Replacements follow Zipf's law: the token of rank r comes with a probability in proportion to
/// 1/r. Tokens of the set come first, by how often they occur; all others follow by their ids.
struct TokenNoise {
  private let ranked: [Int32]
  /// Sum of 1/r up to each rank.
  private let sums: [Double]
  private let structural: Set<Int32>

  /// - Parameters:
  ///   - structural: tokens that neither are replaced nor replace.
  ///   - vocabulary: rows of the table of tokens.
  init(texts: [[Int32]], structural: Set<Int32>, vocabulary: Int) {
    let counts = TokenNoise.counts(texts, vocabulary: vocabulary)
    ranked = (0..<Int32(clamping: vocabulary)).filter { !structural.contains($0) }
      .sorted { (counts[Int($1)], $0) < (counts[Int($0)], $1) }
    var sum = 0.0
    sums = ranked.indices.map { rank in
      sum += 1 / Double(rank + 1)
      return sum
    }
    self.structural = structural
  }

  /// The count of each id.
  static func counts(_ texts: [[Int32]], vocabulary: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: vocabulary)
    for text in texts {
      for id in text where counts.indices.contains(Int(id)) { counts[Int(id)] += 1 }
    }
    return counts
  }

  /// A copy of a text with about `share` of its tokens replaced.
  func copy(of text: [Int32], share: Double, _ numbers: inout SeededNumbers) -> [Int32] {
    text.map { id in
      guard !structural.contains(id), !ranked.isEmpty, numbers.unit() < share else { return id }
      return draw(&numbers)
    }
  }

  private func draw(_ numbers: inout SeededNumbers) -> Int32 {
    let place = numbers.unit() * sums[sums.count - 1]
    var low = 0, high = sums.count - 1
    while low < high {
      let middle = (low + high) / 2
      if sums[middle] > place { high = middle } else { low = middle + 1 }
    }
    return ranked[low]
  }
}
