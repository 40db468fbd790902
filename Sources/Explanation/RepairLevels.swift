import Gate
import WeightCompression

/// What many weights can be lifted to together: each level is given to all weights that are stored worse.
struct RepairLevels {
  /// The lowest first; the repairs of each are in order of the drift that their weights make for the
  /// bytes they cost, the most first.
  let levels: [[Repair]]

  /// - Parameters:
  ///   - ladders: the ways of each weight, the smallest first.
  ///   - drifts: what weights make; nothing is known of those that are missing.
  init(_ ladders: [[Repair]], drifts: [MendBench.Place: Double]) {
    let ladders = ladders.map(RepairLevels.sensible).filter { !$0.isEmpty }
    let ranks = Set(ladders.joined().map(\.way.rank)).sorted()
    levels = ranks.map { rank in
      let repairs = ladders.compactMap { $0.last { $0.way.rank <= rank } }
      let worth = repairs.map { (drifts[$0.place] ?? 0) / Double(max(1, $0.extraBytes)) }
      return repairs.indices.sorted { (worth[$1], $0) < (worth[$0], $1) }.map { repairs[$0] }
    }
  }

  /// Without ways that cost more than a better one.
  private static func sensible(_ repairs: [Repair]) -> [Repair] {
    repairs.filter { one in
      !repairs.contains { $0.way.rank > one.way.rank && $0.extraBytes <= one.extraBytes }
    }
  }
}

extension Repair.Way {
  /// Larger where less is lost: about the bits of a number.
  var rank: Int {
    switch self {
    case .scheme(let scheme): scheme.rank
    case .kept, .asTrained: Scheme.highestRank
    }
  }
}

extension Scheme {
  fileprivate static let highestRank = 32

  /// As `Repair.Way.rank`; of a table in two parts that of the worse one.
  fileprivate var rank: Int {
    switch self {
    case .palette(let palette): palette.bits
    case .linear(let linear):
      switch linear.granularity {
      case .perTensor: 8
      case .perChannel: 9
      case .perBlock(let size): size > 16 ? 10 : 11
      }
    case .split(let split): min(split.first.rank, split.rest.rank)
    case .narrow(.float16): 16
    case .unique, .narrow: Scheme.highestRank
    }
  }
}
