import Testing

@testable import Gate
@testable import Inputs

struct SwapSearchTests {
  /// A search in which each weight has a drift of its own, and drifts add up.
  private func search(_ drifts: [Double]) -> (search: SwapSearch, swaps: [Range<Int>]) {
    var swaps: [Range<Int>] = []
    let search = SwapSearch(count: drifts.count, half: drifts.reduce(0, +) / 2) { range in
      swaps.append(range)
      return effect(drifts[range].reduce(0, +))
    }
    return (search, swaps)
  }

  private func effect(_ drift: Double) -> SwapEffect {
    let before = OutputMatrix(rowCount: 1, width: 1, values: [0])
    let after = OutputMatrix(rowCount: 1, width: 1, values: [Float(drift)])
    return SwapEffect(after, from: before, isEmbedding: false)
  }

  @Test func fewWeightsAreTriedOneByOne() {
    let (search, swaps) = search([Double](repeating: 1, count: 16))
    #expect(swaps == (0..<16).map { $0..<$0 + 1 })
    #expect(search.groups.isEmpty)
    #expect(search.singles.map(\.weights) == swaps)
  }

  @Test(arguments: [17, 101, 128, 129, 500, 1024])
  func aCulpritIsFoundWhereverItStands(_ count: Int) {
    for culprit in 0..<count {
      var drifts = [Double](repeating: 0.001, count: count)
      drifts[culprit] = 10
      let (search, swaps) = search(drifts)
      let largest = search.singles.max { $0.effect.drift < $1.effect.drift }
      #expect(largest?.weights == culprit..<culprit + 1)
      #expect(swaps.count <= (count <= 128 ? 24 : 32))
    }
  }

  /// Every weight is part of a swap: none is left out for what it looks like.
  @Test(arguments: [5, 40, 300])
  func everyWeightIsPartOfASwap(_ count: Int) {
    let (_, swaps) = search([Double](repeating: 1, count: count))
    #expect(Set(swaps.flatMap(Array.init)) == Set(0..<count))
  }

  @Test func twoCulpritsInTwoGroupsAreBothFound() {
    var drifts = [Double](repeating: 0, count: 100)
    (drifts[3], drifts[97]) = (5, 5)
    let (search, swaps) = search(drifts)
    let found = search.singles.filter { $0.effect.drift > 0 }.map(\.weights.lowerBound)
    #expect(found == [3, 97])
    #expect(search.groups.count == 2)
    #expect(swaps.count <= 40)
  }

  /// Where no weight stands out, further groups are followed, those of the worst ones first.
  @Test(arguments: [40, 101, 300])
  func manySmallErrorsAreKnownOneByOne(_ count: Int) {
    let drifts = (0..<count).map { 1 + Double($0) / 1000 }
    var (search, _) = search(drifts)
    let before = search.singles.count
    search.widen { effect(drifts[$0].reduce(0, +)) }
    let found = search.singles.map(\.weights.lowerBound)
    #expect(found == found.sorted() && Set(found).count == found.count)
    #expect(found.count > before && found.count <= SwapSearch.maxWidened)
    #expect(count > 48 || found == Array(0..<count))
  }

  /// A weight of a group that was not followed makes an equal part of what the group makes.
  @Test func eachWeightHasADrift() {
    var drifts = [Double](repeating: 0.5, count: 40)
    (drifts[1], drifts[3]) = (9, 1)
    let (search, _) = search(drifts)
    #expect(search.drifts(of: 40) == drifts)
    let few = self.search([2, 0, 5]).search
    #expect(few.drifts(of: 3) == [2, 0, 5])
  }

  @Test func outputsThatAreNoNumbersAreTheLargestEffect() {
    var drifts = [Double](repeating: 100, count: 64)
    drifts[9] = .nan
    let (search, _) = search(drifts)
    #expect(search.singles.contains { $0.weights == 9..<10 && $0.effect.drift == .infinity })
  }
}
