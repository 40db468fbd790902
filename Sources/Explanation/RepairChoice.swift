import Gate

/// Chooses which combination of repairs to try next, by what each gained alone.
///
/// Small errors add up: the drift that is left is predicted as that of the candidate less the gains.
struct RepairChoice {
  /// For each weight the number of its way, from 1; 0 for the present one.
  typealias Places = [UInt8]

  /// One way or none for each weight.
  struct Combination {
    let places: Places
    /// Weights that are stored otherwise.
    let count: Int
    let bytes: Int
    /// Drift that is left, as it is predicted.
    let left: Double
  }

  /// The part of the limits from which nothing much cheaper is left to try.
  static let wellUsed = 0.8
  /// What counts as used where no limit is missed, and something else refuses: a flip, say.
  private static let missed = 1.25

  private let options: [[Repair]]
  /// Fewest weights first, then fewest bytes.
  private let all: [Combination]
  private var tried: Set<Places> = []
  /// The part of the limits that one unit of drift uses.
  private var rate: Double

  /// - Parameters:
  ///   - options: of each weight, at least one.
  ///   - gains: what each takes from the drift.
  ///   - before: the drift without any.
  ///   - use: the part of the limits that the candidate uses.
  init(_ options: [[Repair]], _ gains: [[Double]], before: Double, use: Double) {
    self.options = options
    var all = [Combination(places: [], count: 0, bytes: 0, left: before)]
    for (repairs, gains) in zip(options, gains) {
      all = all.flatMap { one in
        (0...repairs.count).map { place in
          place == 0
            ? Combination(
              places: one.places + [0], count: one.count, bytes: one.bytes, left: one.left)
            : Combination(
              places: one.places + [UInt8(place)], count: one.count + 1,
              bytes: one.bytes + repairs[place - 1].extraBytes,
              left: one.left - max(0, gains[place - 1]))
        }
      }
    }
    self.all = all.filter { $0.count > 0 }.sorted {
      ($0.count, $0.bytes, $0.left) < ($1.count, $1.bytes, $1.left)
    }
    rate = max(use, RepairChoice.missed) / before
  }

  /// The repairs of a combination.
  func repairs(_ combination: Combination) -> [Repair] {
    zip(options, combination.places).compactMap { $1 == 0 ? nil : $0[Int($1) - 1] }
  }

  /// The next to try; nil if there is none.
  ///
  /// - Parameter best: what is inside already: only what is cheaper counts then.
  func next(below best: Combination?) -> Combination? {
    let open = all.lazy.filter { !tried.contains($0.places) }
    guard let best else { return open.first(where: isPromising) ?? farthest }
    return open.first { isPromising($0) && $0.count <= best.count && $0.bytes < best.bytes }
  }

  private func isPromising(_ combination: Combination) -> Bool {
    max(0, combination.left) * rate <= 1
  }

  /// The one that leaves least, if it was not tried.
  private var farthest: Combination? {
    let least = all.min { ($0.left, $0.bytes) < ($1.left, $1.bytes) }
    return least.flatMap { tried.contains($0.places) ? nil : $0 }
  }

  /// Takes what a try measured, from which the next ones are predicted.
  mutating func take(_ combination: Combination, _ measured: MendBench.Measured) {
    tried.insert(combination.places)
    guard measured.use.isFinite, combination.left > 0 else { return }
    let use = measured.isInside ? measured.use : max(measured.use, RepairChoice.missed)
    rate = use / combination.left
  }
}
