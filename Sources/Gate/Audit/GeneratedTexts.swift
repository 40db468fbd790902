import Weights

/// Texts of tokens that no reference holds, as long as the encoder takes where that costs little:
/// they also reach the rows that no input reaches, and positions behind the longest input.
///
/// The numbers of every row are compared with the baseline's, so a sample is enough; where they
/// cannot be compared, each token is part of a text. The candidate's own weights choose the sample,
/// so that a candidate cannot be trained for it.
struct GeneratedTexts: Sendable {
  /// Ids of each text, those around it included.
  let texts: [[Int32]]

  /// Share of the references' tokens that texts may cost besides; one text is always made.
  private static let budget = 0.02
  /// Tokens of that one at least, where the encoder takes as many.
  private static let shortest = 32
  /// Texts of a sample, at most.
  private static let maximum = 8

  /// - Parameters:
  ///   - before: ids that go before every text, `behind` those behind it.
  ///   - length: tokens of the longest text.
  ///   - barred: ids that mean something to the encoder by themselves and are never within a text.
  ///   - isSample: whether the texts may leave tokens out.
  ///   - seed: chooses the tokens of a sample.
  init(
    _ reached: ReachedRows, before: [Int32], behind: [Int32], length: Int, barred: Set<Int32>,
    isSample: Bool, seed: UInt64
  ) {
    let untouched = reached.untouched.filter { !barred.contains($0) }
    let affordable = Int(Double(reached.total) * GeneratedTexts.budget)
    let length = isSample ? min(length, max(GeneratedTexts.shortest, affordable)) : length
    let room = length - before.count - behind.count
    guard room > 0, !untouched.isEmpty || reached.longest < length else {
      texts = []
      return
    }
    // Where each token is reached, only positions are left.
    let all = reached.tokens.indices.map { Int32($0) }.filter { !barred.contains($0) }
    let ids = untouched.isEmpty ? all : untouched
    guard !ids.isEmpty else {
      texts = []
      return
    }
    let needed = (ids.count + room - 1) / room
    let count =
      isSample ? min(needed, max(1, min(affordable / length, GeneratedTexts.maximum))) : needed
    let places = count * room
    var numbers = SeededNumbers(seed: seed)
    texts = (0..<count).map { text in
      let fill = (0..<room).map { place -> Int32 in
        let index = text * room + place
        guard places < ids.count else { return ids[index % ids.count] }
        // One of each part of the vocabulary.
        let part = index * ids.count / places..<(index + 1) * ids.count / places
        return ids[part.lowerBound + Int(numbers.next() % UInt64(part.count))]
      }
      return before + fill + behind
    }
  }
}
