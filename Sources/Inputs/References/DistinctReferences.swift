import Graph
import StrictJSON

/// A reference set as models see it: inputs that they cannot tell apart are one, and lines that ask
/// for the same comparison count once. Repeats measure nothing new.
package struct DistinctReferences {
  /// The set without repeats.
  package let set: ReferenceSet
  /// For each input of the whole set its number in `set`.
  package let places: [Int]
  /// Numbers, in the whole set, of the inputs of `set`.
  package let kept: [Int]
  /// Lines that were left out.
  package let repeats: [ReferenceSet.Repeat]
  /// The encoder to which all texts are unknown words, and its path; nil if all know some.
  private let blind: (slot: EncoderSlot, origin: String)?

  /// - Parameters:
  ///   - slots: the encoders that see the inputs; empty if outputs were given on both sides.
  ///   - decodes: whether images are compared by their pixels instead of the bytes of their files.
  /// - Throws: errors of preparing the inputs.
  package init(_ references: ReferenceSet, slots: [EncoderSlot], decodes: Bool, jobs: Int) throws {
    var views = [[SeenInput]](repeating: [], count: references.inputs.count)
    var blind: (slot: EncoderSlot, origin: String)?
    for slot in slots {
      for model in try slot.readers(decodes: decodes) {
        let seen = try references.seen(slot.inputs, by: model, decodes: decodes, jobs: jobs)
        for (number, view) in zip(slot.inputs, seen.views) { views[number].append(view) }
        if seen.areUnknown { blind = (slot, model.origin) }
      }
    }
    for number in views.indices where views[number].isEmpty {
      views[number] = [try SeenInput(references.inputs[number], images: references.images)]
    }
    self.blind = blind
    (places, kept) = DistinctReferences.places(views)
    (set, repeats) = references.folded(places, kept)
  }

  /// A number for each different view, in the order of first use, and the first input that has it.
  private static func places(_ views: [[SeenInput]]) -> (places: [Int], kept: [Int]) {
    var known: [[SeenInput]: Int] = [:]
    var kept: [Int] = []
    let places = views.enumerated().map { number, view in
      if let place = known[view] { return place }
      known[view] = kept.count
      kept.append(number)
      return kept.count - 1
    }
    return (places, kept)
  }

  /// Refuses a set that can prove nothing, and one that proves little unless it is declared to be
  /// enough.
  ///
  /// - Throws: `EvaluationError.blindReferences`, `fewReferences`.
  package func require() throws(EvaluationError) {
    guard inputCount > 1 else {
      throw .blindReferences(
        origin: set.origin,
        fault: "every line holds the same input to the model, \(set.inputs[0].label) "
          + "(line \(set.lines[0])); a model cannot be judged on one")
    }
    if let blind {
      throw .blindReferences(
        origin: set.origin,
        fault: "the tokenizer of '\(blind.origin)' knows no word of any text, first "
          + "\(set.inputs[places[blind.slot.inputs[0]]].label) (line "
          + "\(set.lines[places[blind.slot.inputs[0]]])); a model cannot be judged on unknown words"
      )
    }
    guard isFew, !set.isFewMeant else { return }
    throw .fewReferences(
      origin: set.origin,
      fault: "has only \(count.words), a proof needs \(ReferenceSet.fewestLines)"
        + (repeats.first.map {
          "; line \($0.line) is to the model what line \($0.first) is"
        } ?? ""))
  }

  private var inputCount: Int { self.set.inputs.count }

  package var isFew: Bool { min(self.set.comparisons, inputCount) < ReferenceSet.fewestLines }

  package var count: ReferenceCount {
    ReferenceCount(
      comparisons: self.set.comparisons, inputs: inputCount,
      lines: self.set.content.count + repeats.count, arePairs: self.set.given.pairs > 0)
  }
}

extension EncoderSlot {
  /// The models that may see inputs differently: one where both sides prepare them alike.
  fileprivate func readers(decodes: Bool) throws -> [Model] {
    guard let old = baseline, let new = candidate else {
      return [baseline ?? candidate].compactMap(\.self)
    }
    let isAlike =
      try ViewMemory.Reader(old, decodes: decodes) == ViewMemory.Reader(new, decodes: decodes)
    return isAlike ? [old] : [old, new]
  }
}

extension ReferenceSet {
  /// Inputs as a model sees them, and whether all are texts of unknown words.
  func seen(
    _ rows: [Int], by model: Model, decodes: Bool, jobs: Int
  ) throws -> (views: [SeenInput], areUnknown: Bool) {
    if !decodes, case .image = model.architecture.input {
      return (try rows.map { try SeenInput(inputs[$0], images: images) }, false)
    }
    let reader = try InputReader(model: model)
    let key = try ViewMemory.Reader(model, decodes: decodes)
    let views = try naming(rows) { inputs in
      if let known = self.views.views(of: inputs, by: key) { return known }
      let seen = try reader.seen(inputs, images: images, jobs: jobs)
      self.views.keep(seen, of: inputs, by: key)
      return seen
    }
    return (views, reader.areUnknown(views))
  }
}

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
    let label: ExactString?
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
        moved,
        by: { Known(input: $0.input, output: $0.output, label: $0.label.map { ExactString($0) }) },
        \.line)
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
    ReferenceSet.Sample(
      input: places[input], output: output, line: line, isOutcome: isOutcome, label: label)
  }
}
