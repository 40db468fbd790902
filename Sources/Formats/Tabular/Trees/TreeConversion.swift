import Trees

/// Makes trees that Core ML can hold of those that a library grew.
///
/// Core ML compares doubles, takes no sets of categories, and adds leaves without dividing. Thresholds
/// of a library that rounds features to 32 bits become those that decide the same for every double
/// (`RoundedComparison`). Sets of categories decide the same for whole numbers.
/// Sums that a library keeps in 32 bits are Core ML's doubles: they differ by rounding. Votes for two
/// classes are written for both, so that which wins where they are equal does not hang on rounding.
struct TreeConversion {
  let place: TabularPlace
  let ensemble: TreeEnsemble
  /// Names of features.
  let names: [String]

  init(_ model: TreeModel, at place: TabularPlace) {
    self.place = place
    ensemble = model.ensemble
    names = model.features.map(\.name)
  }

  /// What becomes of the numbers of leaves.
  struct Scale {
    /// What they are divided by.
    let divisor: Double
    /// Whether they are shares of votes, and rounded so that equal votes stay equal.
    let isVote: Bool
    /// The transform that is left to Core ML.
    let transform: TreeEnsemble.Transform
    /// The outputs that are kept.
    let outputs: Range<Int>
    /// Whether the one output is the vote for the second of two classes, and the rest of it for the first.
    var hasRest = false
    /// What a leaf has that gives its whole vote.
    var vote = 1.0
    /// Whether the second of two classes wins where votes are equal; else the first, as libraries have it.
    var secondWinsTies = false

    /// Numbers of a leaf of Core ML's trees.
    func numbers(_ values: [Double]) -> [Double] {
      let shares =
        hasRest
        ? [(1 - values[0] / vote) / divisor, values[0] / vote / divisor]
        : values.map { $0 / divisor }
      guard isVote else { return shares }
      // Sums of multiples of 2⁻⁵⁰ below 2 are exact in any order. Where two classes have equal votes, each vote for
      // the second is one unit less; or, where that one wins, so much more that half of the votes are the next number
      // of 32 bits above one half.
      let unit = 0x1p-50
      let step = secondWinsTies ? (0x1p-23 / divisor / unit).rounded(.up) : -1
      return shares.enumerated().map { place, share in
        let count = (share / unit).rounded()
        return (shares.count == 2 && place == 1 && count > 0 ? count + step : count) * unit
      }
    }
  }

  /// Nodes of all trees; Core ML's trees share none. Refuses more than are written, before one is made.
  @discardableResult
  func nodeCount() throws(TabularError) -> Int {
    let branches = ensemble.unmergedBranchCount
    if let branches, 2 * branches + ensemble.treeCount <= TabularProgram.nodeLimit {
      return 2 * branches + ensemble.treeCount
    }
    throw place.fault(
      "would have \(branches.map { "\(2 * $0 + ensemble.treeCount)" } ?? "far more") nodes as a Core ML model, where "
        + "no two trees share any, and at most \(TabularProgram.nodeLimit) are written; write it as safetensors"
    )
  }

  /// The trees with the leaves of a scale.
  func ensemble(_ scale: Scale) throws(TabularError) -> TreeEnsemble {
    let own = try nodeCount()
    var limit = min(TabularProgram.nodeLimit, 16 * own + 1024)
    let width = scale.hasRest ? 2 : min(ensemble.leafWidth, scale.outputs.count)
    let base = scale.hasRest ? [0, 0] : ensemble.base[scale.outputs].map { $0 / scale.divisor }
    do {
      var builder = try TreeEnsembleBuilder(
        path: place.path, featureCount: ensemble.featureCount,
        base: base, leafWidth: width,
        precision: .init(roundsFeatures: false, addsFloats: false), transform: scale.transform)
      var isEmpty = true
      for tree in 0..<ensemble.treeCount {
        // A tree of other outputs only is left out.
        let first = Int(ensemble.outputs[tree])
        let shared = scale.outputs.clamped(to: first..<first + ensemble.leafWidth)
        guard !shared.isEmpty else { continue }
        let writer = TreeRewriter(self, scale, tree: tree)
        let nodes = try writer.nodes(limit: limit)
        limit -= nodes.count
        try builder.add(TreeNodes(nodes), output: max(0, first - scale.outputs.lowerBound))
        isEmpty = false
      }
      if isEmpty { try builder.add(TreeNodes([.leaf([Double](repeating: 0, count: width))])) }
      return try builder.finish()
    } catch let error as TabularError {
      throw error
    } catch let error as TreeError {
      throw TabularError(
        path: place.path,
        place: place.place + [error.tree.map { "tree \($0)" }].compactMap { $0 },
        fault: error.fault)
    } catch {
      throw place.fault("\(error)")
    }
  }
}
