import StrictJSON

extension ReferenceSet {
  /// The size of a set as it was written.
  package struct Counts: Equatable {
    package let inputs: Int
    package let pairs: Int

    package init(inputs: Int, pairs: Int) {
      self.inputs = inputs
      self.pairs = pairs
    }

    /// `12 inputs in 6 pairs`, `12 inputs`.
    package var words: String {
      Figures.count(inputs, "input") + (pairs > 0 ? " in \(Figures.count(pairs, "pair"))" : "")
    }
  }

  /// A line that repeats an earlier one.
  package struct Repeat: Equatable {
    package let line: Int
    /// The line that counts.
    package let first: Int
  }

  /// The key by which pairs repeat: their sides in either order.
  private struct Sides: Hashable {
    let sides: Set<[Int]>
    /// Nil if only the comparison counts.
    var expectation: Expectation?

    init(_ pair: Pair, _ expectation: Expectation? = nil) {
      sides = [Set(pair.a).sorted(), Set(pair.b).sorted()]
      self.expectation = expectation
    }
  }

  /// The key by which samples repeat.
  private struct Known: Hashable {
    let input: Int
    let output: [Float]?
  }

  /// The set without repeated inputs and lines; the first of each stays.
  ///
  /// - Parameters:
  ///   - places: the new number of each input.
  ///   - kept: the first input of each new number.
  /// - Returns: the set, and the lines that were left out.
  func folded(_ places: [Int], _ kept: [Int]) -> (set: ReferenceSet, repeats: [Repeat]) {
    switch content {
    case .pairs(let pairs):
      let moved = pairs.map { $0.moved(places) }
      let (lines, repeats) = ReferenceSet.once(moved, by: { Sides($0, $0.expectation) }, \.line)
      return (taking(kept, .pairs(lines)), repeats)
    case .samples(let samples):
      let moved = samples.map { $0.moved(places) }
      let (lines, repeats) = ReferenceSet.once(
        moved, by: { Known(input: $0.input, output: $0.output) }, \.line)
      return (taking(kept, .samples(lines)), repeats)
    }
  }

  private static func once<Line, Key: Hashable>(
    _ lines: [Line], by key: (Line) -> Key, _ number: (Line) -> Int
  ) -> (lines: [Line], repeats: [Repeat]) {
    var firsts: [Key: Int] = [:]
    var kept: [Line] = []
    var repeats: [Repeat] = []
    for line in lines {
      if let first = firsts[key(line)] {
        repeats.append(Repeat(line: number(line), first: first))
      } else {
        firsts[key(line)] = number(line)
        kept.append(line)
      }
    }
    return (kept, repeats)
  }

  /// Distinct pairs with two different sides, or inputs of samples; known values and pairs of an
  /// input with itself do not count.
  var comparisons: Int {
    switch content {
    case .pairs(let pairs): Set(pairs.map { Sides($0) }.filter { $0.sides.count > 1 }).count
    case .samples: inputs.count
    }
  }
}

extension ReferenceSet.Pair {
  /// The same pair with the inputs' new numbers; repeated alternatives are dropped.
  fileprivate func moved(_ places: [Int]) -> ReferenceSet.Pair {
    func once(_ side: [Int]) -> [Int] {
      var seen: Set<Int> = []
      return side.map { places[$0] }.filter { seen.insert($0).inserted }
    }
    return ReferenceSet.Pair(
      a: once(a), b: once(b), similarity: similarity, expectation: expectation, line: line)
  }
}

extension ReferenceSet.Sample {
  /// The same sample of an input that has another number.
  fileprivate func moved(_ places: [Int]) -> ReferenceSet.Sample {
    ReferenceSet.Sample(input: places[input], output: output, line: line, isOutcome: isOutcome)
  }
}
