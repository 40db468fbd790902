import Gate
import Graph
import Inputs

// Many weights that are only rounded.
extension MendSearch {
  /// The lowest level that is enough for all weights that are stored worse, for as few of them as are
  /// enough: those first that make most of the drift for their bytes.
  ///
  /// - Returns: nil if nothing that was tried is inside.
  mutating func many(_ start: Start) throws -> [Repair]? {
    var rate = start.rate
    for level in try levels(start) where tries < MendSearch.mostTries {
      // All weights of a level are as large as the model.
      forget(allBut: start.faults)
      var choice = LevelChoice(of: level.count, rate: rate)
      if let found = try lift(level, &choice, start) { return start.faults + found }
      rate = choice.rate
    }
    return nil
  }

  private mutating func lift(
    _ level: [Repair], _ choice: inout LevelChoice, _ start: Start
  ) throws -> [Repair]? {
    var known: [Int: Double] = [:]
    func left(_ count: Int) throws -> Double {
      let drift = try known[count] ?? self.drift(Array(level.prefix(count)), start)
      known[count] = drift
      return drift
    }
    while tries < MendSearch.mostTries, let next = try choice.next(leaving: left) {
      let isLast = tries + 1 == MendSearch.mostTries && choice.enough == nil
      let count = isLast ? level.count : next
      let measured = try attempt(start.faults + level.prefix(count))
      choice.take(count, leaving: try left(count), measured)
      if measured.isInside, measured.use > RepairChoice.wellUsed { break }
    }
    return choice.enough.map { Array(level.prefix($0)) }
  }

  /// The lowest first; without weights that are as trained, or are taken from there.
  private func levels(_ start: Start) throws -> [[Repair]] {
    let known = verdict.causes?.drifts ?? []
    let drifts = Dictionary(
      known.map { (MendBench.Place($0.name, of: $0.encoder), $0.drift) }
    ) { first, _ in first }
    let encoders = Set(known.map(\.encoder))
    let faults = start.faults.map(\.place)
    let places = bench.places.filter { place in
      !faults.contains(place) && (drifts[place] != nil || !encoders.contains(place.encoder))
    }
    return RepairLevels(try ladder.repairs(ofRounded: places), drifts: drifts).levels
  }
}
