#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension StepRunner {
  func run(_ trees: TabularTrees, _ x: TabularColumn) throws(TreeError) -> [TabularColumn] {
    guard let row = x.elements.numbers, row.count == trees.ensemble.featureCount,
      trees.isDouble == (x.type == .double)
    else {
      throw fault(
        "is given \(x.type) of the shape \(x.shape), expected \(trees.ensemble.featureCount) numbers"
      )
    }
    let scores = trees.withBase(trees.sums(of: row))
    guard let classes = trees.classes else {
      return [column(try transformed(scores, trees), trees.outputType)]
    }
    let (place, single) = classes.label(scores)
    let both: [Double]
    if let single {
      both = StepRunner.binary(single, trees, classes)
    } else {
      both = try transformed(scores, trees)
    }
    return [classes.labels.column(place), column(both, trees.outputType)]
  }

  /// A row of numbers in the precision of a type.
  private func column(_ values: [Double], _ type: TabularType) -> TabularColumn {
    type == .double
      ? TabularColumn(.doubles(values), [1, values.count])
      : TabularColumn(.floats(values.map { Float($0) }), [1, values.count])
  }

  /// Scores of all outputs, each in the precision of the trees.
  private func transformed(_ scores: [Double], _ trees: TabularTrees) throws(TreeError) -> [Double]
  {
    guard !trees.isDouble else {
      switch trees.transform {
      case .none: return scores
      case .logistic: return scores.map { Double(StepRunner.logistic(Float($0))) }
      case .softmax: return StepRunner.softmax(scores)
      case .softmaxZero: throw fault("'SOFTMAX_ZERO' of doubles is not supported")
      }
    }
    return try transformed(scores.map { Float($0) }, trees.transform).map(Double.init)
  }

  /// The scores of two classes of which the leaves have one.
  private static func binary(
    _ score: Double, _ trees: TabularTrees, _ classes: TabularTrees.Classes
  ) -> [Double] {
    guard trees.transform == .logistic else {
      guard classes.arePositive else { return [-score, score] }
      return trees.isDouble ? [1 - score, score] : [Double(1 - Float(score)), score]
    }
    return [Double(logistic(Float(-score))), Double(logistic(Float(score)))]
  }

  /// As softmax, but what is 0 stays 0.
  static func softmaxZero(_ values: [Float]) -> [Float] {
    let largest = values.max() ?? 0
    let powers = values.map { value in
      abs(value) > 1e-7 ? expf(value - largest) : value * expf(-largest)
    }
    let sum = powers.reduce(0, +)
    return powers.map { $0 / sum }
  }
}

extension TabularTrees {
  /// What the leaves of a row come to, before the base is added.
  func sums(of row: [Double]) -> [Double] {
    switch aggregate {
    case .sum: return ensemble.sums(of: row)
    case .average:
      let count = Double(ensemble.treeCount)
      // Both are floats: rounding their quotient twice gives that of 32 bits.
      return ensemble.sums(of: row).map { isDouble ? $0 / count : Double(Float($0 / count)) }
    case .smallest, .largest: return extremes(row)
    }
  }

  private func extremes(_ row: [Double]) -> [Double] {
    let row = isDouble ? row : row.map { Double(Float($0)) }
    var found = [Double?](repeating: nil, count: ensemble.outputCount)
    for tree in 0..<ensemble.treeCount {
      let leaf = ensemble.leaf(of: row, tree)
      for place in 0..<ensemble.leafWidth {
        let output = Int(ensemble.outputs[tree]) + place
        let value = ensemble.leaves[leaf * ensemble.leafWidth + place]
        let other = found[output] ?? value
        found[output] = aggregate == .smallest ? min(other, value) : max(other, value)
      }
    }
    return found.map { $0 ?? 0 }
  }

  /// The base is added last, in the precision of the trees.
  func withBase(_ sums: [Double]) -> [Double] {
    func add(_ one: Double, _ other: Double) -> Double {
      isDouble ? one + other : Double(Float(one) + Float(other))
    }
    if base.count == sums.count { return zip(sums, base).map(add) }
    guard let only = base.first, let first = sums.first else { return sums }
    return [add(first, only)] + sums.dropFirst()
  }
}

extension TabularTrees.Classes {
  /// The place of the label, and where leaves have the score of one class alone that of the second.
  func label(_ scores: [Double]) -> (Int, both: Double?) {
    guard labels.count == 2 else {
      var best: Int?
      for place in scores.indices where isScored[place] {
        if best.map({ scores[place] > scores[$0] }) ?? true { best = place }
      }
      return (best ?? 0, nil)
    }
    let score = isScored[1] ? scores[1] : scores[0]
    guard isBinary else { return (score > 0 ? 1 : 0, nil) }
    // ONNX Runtime takes scores that are never negative for probabilities, even where a logistic follows.
    return (score > (arePositive ? 0.5 : 0) ? 1 : 0, score)
  }
}
