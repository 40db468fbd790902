import TestSupport
import Testing

@testable import Search

/// Which candidate is tried next, for weights whose true losses are known.
struct BracketTests {
  /// Weights that each lose a quarter with every bit, and what really happens to them.
  private struct World {
    let choices: [[Frontier.Choice]]
    /// How far each choice's prediction is from the truth.
    let factors: [[Double]]
    let allowed: Double

    /// - Parameter scale: of the sizes.
    init(weights: Int, allowed: Double, error: Double, seed: UInt64, scale: Int = 1) {
      var numbers = SeededGenerator(seed: seed)
      let bits = [32, 2, 3, 4, 6, 8]
      choices = (0..<weights).map { _ in
        let size = scale * Int.random(in: 300...900, using: &numbers)
        let whole = Double.random(in: 0.2...1, using: &numbers)
        return bits.map { bits in
          var loss = bits == 32 ? 0 : whole
          for _ in 0..<(bits == 32 ? 0 : bits) { loss /= 4 }
          return Frontier.Choice(bytes: size * bits / 8, loss: loss)
        }
      }
      factors = choices.map {
        $0.map { _ in 1 + Double.random(in: -error...error, using: &numbers) }
      }
      self.allowed = allowed
    }

    func use(_ places: [Int]) -> Double {
      places.indices.reduce(0) { sum, weight in
        sum + factors[weight][places[weight]] * choices[weight][places[weight]].loss
      } / allowed
    }

    /// The smallest that passes, and how many candidates were judged.
    func search(start: Double) -> (bytes: Int?, judged: Int) {
      let frontier = Frontier(choices)
      var bracket = Bracket(choices, frontier, fixedBytes: 0)
      var allocation = frontier.smallest(loss: start) ?? frontier.best
      var least: Int?
      var judged = 0
      func judge(_ allocation: Frontier.Allocation) {
        let use = use(allocation.places)
        bracket.take(
          Bracket.Probe(allocation: allocation, use: use, expectedUse: use, isPassed: use <= 1))
        if use <= 1 { least = min(least ?? .max, allocation.bytes) }
        judged += 1
      }
      repeat {
        judge(allocation)
        guard judged < bracket.mostTrials,
          let next = bracket.next(isLast: judged + 1 == bracket.mostTrials)
        else { break }
        allocation = next
      } while true
      if let last = bracket.lastResort { judge(last) }
      return (least, judged)
    }

    /// The smallest of all allocations that passes.
    var smallest: Int? {
      choices.indices.reduce([[Int]()]) { all, weight in
        all.flatMap { start in choices[weight].indices.map { start + [$0] } }
      }.filter { use($0) <= 1 }.map { Frontier.Allocation(places: $0, of: choices).bytes }.min()
    }
  }

  @Test(arguments: 1...UInt64(Thoroughness.isExhaustive ? 200 : 40))
  func ofFewWeightsTheSmallestIsFoundAlthoughPredictionsAreOff(_ seed: UInt64) throws {
    let world = World(weights: 3, allowed: 0.01, error: 0.3, seed: seed)
    let found = world.search(start: 0.005)
    let smallest = try #require(world.smallest)
    #expect(Double(try #require(found.bytes)) <= 1.03 * Double(smallest), "\(found), \(smallest)")
    #expect(found.judged <= 48)
  }

  @Test(arguments: [1e-12, 1e-5, 0.5], 1...UInt64(8))
  func anyStartLeadsToWhatPasses(_ start: Double, _ seed: UInt64) throws {
    let world = World(weights: 40, allowed: 0.05, error: 0.2, seed: seed)
    let found = world.search(start: start)
    #expect(found.judged <= 6)
    let frontier = Frontier(world.choices)
    // Within 5 % of what predictions without errors would find.
    let right = try #require(frontier.smallest(loss: world.allowed))
    #expect(Double(try #require(found.bytes)) <= 1.05 * Double(right.bytes), "\(found)")
  }

  /// Of many weights fewer candidates are made, of large ones fewer still; something is found all the same.
  @Test(arguments: [(40, 1, 6), (40, 10_000, 3), (3, 10_000, 48)], [1e-12, 1e-5, 0.5])
  func whatTakesLongIsTriedLessOften(
    _ given: (weights: Int, scale: Int, most: Int), _ start: Double
  ) throws {
    let world = World(
      weights: given.weights, allowed: 0.01, error: 0.2, seed: 3, scale: given.scale)
    let bracket = Bracket(world.choices, Frontier(world.choices), fixedBytes: 0)
    #expect(bracket.mostTrials == given.most)
    let found = world.search(start: start)
    #expect(found.judged <= given.most + 1 && found.bytes != nil)
  }

  @Test func nothingPassesWhereNotEvenKeepingEverythingDoes() {
    let world = World(weights: 3, allowed: 0, error: 0, seed: 1)
    let found = world.search(start: 0.01)
    #expect(found.bytes == nil && found.judged == 2)
  }

  /// A candidate that uses nothing says nothing: sizes are halved.
  @Test func keepingEverythingIsNotTheEnd() throws {
    let world = World(weights: 3, allowed: 0.01, error: 0, seed: 5)
    let found = world.search(start: 0)
    #expect(Double(try #require(found.bytes)) <= 1.03 * Double(try #require(world.smallest)))
  }

  /// Where measurements fall less than predictions, the step is larger; what loses least comes after.
  @Test func twoRefusalsSayHowFarTheLossHasToFall() throws {
    let world = World(weights: 40, allowed: 0.01, error: 0, seed: 2, scale: 10_000)
    let frontier = Frontier(world.choices)
    var bracket = Bracket(world.choices, frontier, fixedBytes: 0)
    for (loss, use) in [(0.016, 1.21), (0.012, 1.0589)] {
      let allocation = try #require(frontier.smallest(loss: loss))
      bracket.take(
        Bracket.Probe(allocation: allocation, use: use, expectedUse: use, isPassed: false))
    }
    // Measured as the root, about: 1.0589 · (0.0075 / 0.012)^0.47 is 0.85.
    let next = try #require(bracket.next(isLast: true))
    #expect(abs(next.loss - 0.0075) < 0.0006, "\(next.loss)")
    bracket.take(Bracket.Probe(allocation: next, use: 1.01, expectedUse: 1.01, isPassed: false))
    #expect(bracket.lastResort?.places == frontier.best.places)
    bracket.take(Bracket.Probe(allocation: next, use: 0.9, expectedUse: 0.9, isPassed: true))
    #expect(bracket.lastResort == nil)
  }

  /// Refused for another reason than limits, as by a flip: a larger one follows.
  @Test func aRefusalThatUsesNoLimitUpIsFollowedByALargerOne() throws {
    let world = World(weights: 12, allowed: 0.01, error: 0, seed: 5)
    let frontier = Frontier(world.choices)
    let first = try #require(frontier.smallest(loss: 0.01))
    var bracket = Bracket(world.choices, frontier, fixedBytes: 0)
    bracket.take(Bracket.Probe(allocation: first, use: 0.4, expectedUse: 0.4, isPassed: false))
    let next = try #require(bracket.next(isLast: false))
    #expect(next.bytes > first.bytes && next.loss < first.loss)
    #expect(bracket.lastResort?.places == frontier.best.places)
  }

  /// Of many weights a candidate that is likely to be refused by other references is not followed by
  /// a smaller one, of few it is.
  @Test(arguments: [(40, true), (3, false)])
  func manyWeightsLeaveAMarginForReferencesNotSeen(_ weights: Int, _ isEnd: Bool) throws {
    let world = World(weights: weights, allowed: 0.01, error: 0, seed: 2)
    let frontier = Frontier(world.choices)
    var bracket = Bracket(world.choices, frontier, fixedBytes: 0)
    let first = try #require(frontier.smallest(loss: 0.005))
    bracket.take(Bracket.Probe(allocation: first, use: 0.5, expectedUse: 1.05, isPassed: true))
    let next = bracket.next(isLast: false)
    #expect((next == nil) == isEnd)
    #expect(next.map { $0.bytes < first.bytes } ?? true)
  }

  /// Of many weights nothing is tried between sizes that are close.
  @Test(arguments: [(92, true), (80, false)])
  func manyWeightsAreDoneBetweenSizesThatAreClose(_ percent: Int, _ isEnd: Bool) throws {
    let world = World(weights: 40, allowed: 0.01, error: 0, seed: 2)
    let frontier = Frontier(world.choices)
    var bracket = Bracket(world.choices, frontier, fixedBytes: 0)
    let passed = try #require(frontier.smallest(loss: 0.002))
    bracket.take(Bracket.Probe(allocation: passed, use: 0.5, expectedUse: 0.5, isPassed: true))
    let refused = try #require(frontier.best(bytes: passed.bytes * percent / 100))
    bracket.take(Bracket.Probe(allocation: refused, use: 1.1, expectedUse: 1.1, isPassed: false))
    #expect((bracket.next(isLast: false) == nil) == isEnd)
  }
}
