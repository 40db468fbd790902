import Foundation

/// The candidates of one encoder that were judged, and which one to try next.
///
/// What a candidate measures says how far the predicted loss may go. Where predictions say no more, the
/// sizes between the smallest that passed and the largest that did not are halved. Of few weights the
/// errors of predictions do not even out, so that smaller allocations are tried that should just miss.
struct Bracket {
  /// A candidate that was judged.
  struct Probe {
    let allocation: Frontier.Allocation
    /// The part of the allowed loss that it uses; infinite where nothing was measured.
    let use: Double
    /// The part that it is likely to use of other references.
    let expectedUse: Double
    let isPassed: Bool
  }

  private var choices: [[Frontier.Choice]]
  private var frontier: Frontier
  private let fixedBytes: Int
  private var probes: [Probe] = []

  /// The part of the allowed loss that a search aims at, and with the last candidate of many weights
  /// where none passed.
  private static let aim = 0.97, lastAim = 0.85
  /// The least part of the size that a further candidate must save: of many weights, whose candidates
  /// take long, twice as much as of few.
  private var gain: Double { isOfFew ? 0.01 : 0.02 }
  /// Of many weights, how near the largest that was refused comes to the smallest that passed when
  /// nothing further is tried: what is left to save is not worth the time.
  private static let narrow = 0.9
  /// The least power by which a step is made larger.
  private static let leastPower = 0.25
  /// Weights that are few.
  private static let few = 8
  /// Bytes of nothing compressed from which on weights are large.
  private static let large = 100_000_000
  /// The most that a candidate of few weights may use by prediction.
  private static let reach = 3.0

  /// - Parameter fixedBytes: of weights there is no choice about.
  init(_ choices: [[Frontier.Choice]], _ frontier: Frontier, fixedBytes: Int) {
    (self.choices, self.frontier, self.fixedBytes) = (choices, frontier, fixedBytes)
  }

  mutating func take(_ probe: Probe) { probes.append(probe) }

  /// Takes other predictions, of the same ways to store weights.
  mutating func take(_ other: WeightChoices) {
    let choices = other.groups.map(\.choices)
    (self.choices, frontier) = (choices, other.frontier)
    probes = probes.map { probe in
      Probe(
        allocation: Frontier.Allocation(places: probe.allocation.places, of: choices),
        use: probe.use, expectedUse: probe.expectedUse, isPassed: probe.isPassed)
    }
  }

  /// Whether there are so few weights that errors of their predictions do not even out.
  var isOfFew: Bool { choices.count <= Bracket.few }

  /// The most candidates that are judged: 6, or 48 of few weights, or 3 of large ones, which take
  /// minutes each.
  var mostTrials: Int {
    if isOfFew { return 8 * Search.mostTrials }
    return frontier.best.bytes < Bracket.large ? Search.mostTrials : Search.mostTrials / 2
  }

  /// The allocation to try next; nil if none is likely to be smaller and to pass.
  ///
  /// - Parameter isLast: whether it is the last one.
  func next(isLast: Bool) -> Frontier.Allocation? {
    guard let last = probes.last else { return nil }
    if passed == nil, isLast && isOfFew || !last.use.isFinite { return worth(frontier.best) }
    guard !isNarrow else { return nil }
    let aim = isLast && passed == nil ? Bracket.lastAim : Bracket.aim
    return worth(measured(last, aim)) ?? worth(halfway) ?? reduced
  }

  /// What loses least, where nothing passed and that was not tried.
  var lastResort: Frontier.Allocation? { passed == nil ? worth(frontier.best) : nil }

  // MARK: What was judged

  /// What decides how far the next candidate goes. One of many weights takes long, so that it should
  /// pass on references that were not seen, too.
  private func decidingUse(_ probe: Probe) -> Double { isOfFew ? probe.use : probe.expectedUse }

  /// The smallest that passed.
  private var passed: Probe? {
    probes.filter(\.isPassed).min { $0.allocation.bytes < $1.allocation.bytes }
  }

  /// Bytes of the largest that was refused and is smaller than what passed.
  private var refusedBytes: Int? {
    let most = passed?.allocation.bytes ?? .max
    return probes.filter { !$0.isPassed }.map(\.allocation.bytes).filter { $0 < most }.max()
  }

  private var isNarrow: Bool {
    guard !isOfFew, let passed, let refusedBytes else { return false }
    return Double(refusedBytes + fixedBytes)
      >= Bracket.narrow * Double(passed.allocation.bytes + fixedBytes)
  }

  /// The part of the allowed loss that an allocation should use; nil where nothing says so.
  private func expectedUse(_ allocation: Frontier.Allocation) -> Double? {
    guard let passed, passed.use > 0, passed.allocation.loss > 0 else { return nil }
    return decidingUse(passed) * allocation.loss / passed.allocation.loss
  }

  /// The allocation, if it was not tried, and is enough smaller than what passed.
  private func worth(_ allocation: Frontier.Allocation?) -> Frontier.Allocation? {
    guard let allocation, !probes.contains(where: { $0.allocation.places == allocation.places })
    else { return nil }
    guard let passed else { return allocation }
    let most = (1 - gain) * Double(passed.allocation.bytes + fixedBytes)
    return Double(allocation.bytes + fixedBytes) <= most ? allocation : nil
  }

  // MARK: Ways on

  /// What should use some part of the allowed loss, by what the last one used.
  private func measured(_ last: Probe, _ aim: Double) -> Frontier.Allocation? {
    // One that is refused although it uses no limit up is so for another reason, such as a flip.
    guard last.use.isFinite, last.use > 0, last.allocation.loss > 0,
      last.isPassed == (last.use <= 1)
    else { return nil }
    let share = pow(aim / decidingUse(last), 1 / power(before: last))
    return frontier.smallest(loss: Bracket.rounded(last.allocation.loss * share)) ?? frontier.best
  }

  /// The power of the predicted loss that the measured one grows with: 1, and less where that did not
  /// fall as predicted between two candidates that were refused.
  private func power(before last: Probe) -> Double {
    guard !last.isPassed, let other = probes.dropLast().last, !other.isPassed,
      other.use.isFinite, other.allocation.loss > last.allocation.loss
    else { return 1 }
    let power =
      log(decidingUse(other) / decidingUse(last))
      / log(other.allocation.loss / last.allocation.loss)
    return power > 0 ? min(1, max(Bracket.leastPower, power)) : Bracket.leastPower
  }

  /// The best of the size between what passed and what did not.
  private var halfway: Frontier.Allocation? {
    let low = refusedBytes ?? frontier.smallest
    let high = passed?.allocation.bytes ?? frontier.best.bytes
    guard high > low, let middle = frontier.best(bytes: low + (high - low) / 2) else { return nil }
    guard let use = expectedUse(middle) else { return middle }
    return use <= (isOfFew ? Bracket.reach : 1) ? middle : nil
  }

  /// Of few weights the least loss of all that differs from what passed in up to three weights, is
  /// smaller, and may pass.
  private var reduced: Frontier.Allocation? {
    guard isOfFew, let passed else { return nil }
    var least: Frontier.Allocation?
    for places in changes(of: passed.allocation.places) {
      let allocation = Frontier.Allocation(places: places, of: choices)
      guard allocation.loss < least?.loss ?? .infinity, worth(allocation) != nil,
        expectedUse(allocation) ?? 0 <= Bracket.reach, !isWorseThanRefused(places)
      else { continue }
      least = allocation
    }
    return least
  }

  private func changes(of start: [Int]) -> [[Int]] {
    var all = [(places: start, count: 0)]
    for weight in choices.indices {
      for one in all where one.count < 3 {
        for place in choices[weight].indices where place != start[weight] {
          var places = one.places
          places[weight] = place
          all.append((places, one.count + 1))
        }
      }
    }
    return all.map(\.places)
  }

  /// Whether each weight loses at least what it does in a candidate that was refused.
  private func isWorseThanRefused(_ places: [Int]) -> Bool {
    probes.contains { probe in
      !probe.isPassed
        && choices.indices.allSatisfy { weight in
          choices[weight][places[weight]].loss
            >= choices[weight][probe.allocation.places[weight]].loss
        }
    }
  }

  /// Two digits, so that a search does not follow the rounding of sums.
  static func rounded(_ loss: Double) -> Double {
    var unit = 1.0
    while loss / unit < 10, unit > 1e-30 { unit /= 10 }
    return (loss / unit).rounded() * unit
  }
}
