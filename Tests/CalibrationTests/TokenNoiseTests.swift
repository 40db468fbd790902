import Testing
import Weights

@testable import Calibration

@Suite struct TokenNoiseTests {
  private let texts: [[Int32]] = (0..<50).map { n in [2] + (0..<40).map { 4 + (n + $0) % 7 } + [3] }

  private func noise() -> TokenNoise {
    TokenNoise(texts: texts, structural: [0, 2, 3], vocabulary: 1000)
  }

  @Test func replacesAboutTheShareAskedFor() {
    let noise = noise()
    var numbers = SeededNumbers(seed: 1)
    var changed = 0, all = 0
    for text in texts {
      let copy = noise.copy(of: text, share: 0.2, &numbers)
      #expect(copy.count == text.count)
      changed += zip(copy, text).count { $0 != $1 }
      all += text.count - 2
    }
    // A replacement may be the same token: the seven of the set make a third of all draws.
    #expect((0.1...0.22).contains(Double(changed) / Double(all)))
  }

  @Test func neitherReplacesNorGivesStructuralTokens() {
    let noise = noise()
    var numbers = SeededNumbers(seed: 2)
    for text in texts {
      let copy = noise.copy(of: text, share: 1, &numbers)
      #expect(copy.first == 2 && copy.last == 3)
      #expect(copy.dropFirst().dropLast().allSatisfy { ![0, 2, 3].contains($0) })
      #expect(copy.allSatisfy { (0..<1000).contains($0) })
    }
  }

  @Test func frequentTokensComeMostOften() {
    let noise = TokenNoise(
      texts: [[9, 9, 9, 8, 8, 7]], structural: [0], vocabulary: 100)
    var numbers = SeededNumbers(seed: 3)
    let drawn = noise.copy(of: Array(repeating: 5, count: 20_000), share: 1, &numbers)
    let counts = TokenNoise.counts([drawn], vocabulary: 100)
    // 1/r over the sum of 1/r for 99 ranks: 0.193, 0.097, 0.064, then the ids that never occur.
    let total = (1...99).reduce(0.0) { $0 + 1 / Double($1) }
    for (rank, id) in [(1, 9), (2, 8), (3, 7), (4, 1), (5, 2)] {
      let wanted = 20_000 / (Double(rank) * total)
      #expect(abs(Double(counts[id]) - wanted) < 5 * wanted.squareRoot())
    }
    #expect(counts[0] == 0)
  }

  @Test func isTheSameInEveryRun() {
    func copies(_ seed: UInt64) -> [[Int32]] {
      var numbers = SeededNumbers(seed: seed)
      let noise = noise()
      return texts.map { noise.copy(of: $0, share: 0.2, &numbers) }
    }
    #expect(copies(1) == copies(1))
    #expect(copies(1) != copies(2))
  }

  @Test func leavesTextsAsTheyAreWithoutAnythingToGive() {
    let noise = TokenNoise(texts: [[1, 0]], structural: [0, 1], vocabulary: 2)
    var numbers = SeededNumbers(seed: 1)
    #expect(noise.copy(of: [1, 0, 1], share: 1, &numbers) == [1, 0, 1])
    #expect(TokenNoise.counts([[5, -1]], vocabulary: 2) == [0, 0])
  }
}
