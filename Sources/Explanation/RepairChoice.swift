import Gate

/// Chooses which combination of repairs to try next, by what each loses where the other weights are as
/// good as they can be.
///
/// Small errors add up: the drift that is left is predicted as the sum of what each weight loses.
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

    /// The same with one more weight, in a way or as it is.
    func with(_ repair: Repair?, _ loss: Double, at place: Int) -> Combination {
      Combination(
        places: places + [UInt8(place)], count: repair == nil ? count : count + 1,
        bytes: bytes + (repair?.extraBytes ?? 0), left: left + max(0, loss))
    }
  }

  /// The part of the limits from which nothing much cheaper is left to try.
  static let wellUsed = 0.8
  /// What counts as used where no limit is missed, and something else refuses: a flip, say.
  static let missed = 1.25

  private let options: [[Repair]]
  /// Fewest weights first, then fewest bytes.
  private let all: [Combination]
  private var tried: Set<Places> = []
  /// The part of the limits that one unit of drift uses.
  private var rate: Double

  /// - Parameters:
  ///   - options: of each weight, at least one.
  ///   - losses: the drift that each weight makes, first as it is now and then in each of its ways.
  ///   - floor: the drift with each weight in the best of its ways.
  ///   - before: the drift without any.
  ///   - use: the part of the limits that the candidate uses.
  init(
    _ options: [[Repair]], losses: [[Double]], floor: Double, before: Double, use: Double
  ) {
    self.options = options
    var all = [Combination(places: [], count: 0, bytes: 0, left: max(0, floor))]
    for (repairs, losses) in zip(options, losses) {
      all = all.flatMap { one -> [Combination] in
        losses.indices.map { place in
          one.with(place == 0 ? nil : repairs[place - 1], losses[place], at: place)
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
    rate = RepairChoice.rate(combination.left, measured) ?? rate
  }

  /// The part of the limits that one unit of drift was measured to use; nil where that says nothing.
  static func rate(_ drift: Double, _ measured: MendBench.Measured) -> Double? {
    guard measured.use.isFinite, drift > 0 else { return nil }
    return (measured.isInside ? measured.use : max(measured.use, missed)) / drift
  }
}
