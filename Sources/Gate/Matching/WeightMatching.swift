import Graph
import Inputs
import Weights

/// Which weight of a candidate is which of the baseline's.
///
/// In models of one architecture weights of one name belong together. A program written from a model
/// names its constants after the weights, as identifiers; a table of positions may be cut there to
/// the rows its inputs can reach. Where a program has the baseline's operations, its constants are paired by the place
/// where they are used, whatever they are called (`PlacePairing`). Linear layers are paired by what their numbers do
/// (`PairedLayers`), trees that another tool wrote by what they decide.
struct WeightMatching {
  /// One weight in both models.
  struct Pair {
    let ours: WeightReference
    /// Of merged trees and of linear models in the baseline's shape, as `MatchedWeights` gives it.
    let theirs: WeightReference
    /// How the candidate's numbers become those that the baseline would have.
    var arrangement = PlacePairing.Arrangement.asStored
  }

  let pairs: [Pair]
  /// Why the weights do not go together; empty when they do.
  let faults: [WeightFault]
  /// Whether no weight of one has the name of one in the other: another tool gave the names. Only
  /// tables of tokens can then be told apart.
  let areUnrelated: Bool
  /// Whether the candidate is a program over features whose operations do not go together with the baseline's.
  let areOtherOperations: Bool
  /// Which nodes belong together, of trees that were merged.
  let trees: PairedTrees
  /// The weights of linear layers that are laid out otherwise; nil of any other model.
  let layers: PairedLayers?

  init(baseline: Model, candidate: Model) throws {
    let ours = try baseline.usedWeights(), theirs = try candidate.usedWeights()
    trees = try PairedTrees(baseline, candidate)
    layers = try PairedLayers(baseline, candidate)
    if let fault = trees.fault {
      (pairs, faults, areUnrelated) = ([], [fault], false)
      areOtherOperations = false
      return
    }
    let isSameKind = type(of: baseline.architecture) == type(of: candidate.architecture)
    if trees.isEmpty, layers == nil,
      let placed = try WeightMatching.placed(baseline, candidate, ours, theirs)
    {
      (pairs, faults, areUnrelated) = (placed, [], false)
      areOtherOperations = false
      return
    }
    if let layers {
      self.pairs = ours.map { Pair(ours: $0, theirs: $0) }
      self.faults = layers.added.map(WeightFault.added)
      (areUnrelated, areOtherOperations) = (false, false)
      return
    }
    let found = Dictionary(theirs.map { ($0.name, $0) }) { first, _ in first }
    let names =
      isSameKind
      ? WeightMatching.names(ours.map(\.name), in: Set(found.keys))
      : Identifier.distinct(for: ours.map(\.name.text)).map { TensorName($0) }
    var pairs: [Pair] = []
    var faults: [WeightFault] = []
    for (reference, name) in zip(ours, names) {
      if trees.has(reference.name) {
        pairs.append(Pair(ours: reference, theirs: reference))
        continue
      }
      guard let other = found[name] else {
        faults.append(.unused(reference.name))
        continue
      }
      guard WeightMatching.fits(other.shape, in: reference, mayBeCut: !isSameKind) else {
        faults.append(
          .shape(other.name, candidate: other.shape, baseline: reference.shape))
        continue
      }
      pairs.append(Pair(ours: reference, theirs: other))
    }
    let known = Set(names)
    areOtherOperations =
      trees.isEmpty && baseline.kind == .values && WeightMatching.isProgram(candidate)
    areUnrelated =
      trees.isEmpty && known.isDisjoint(with: found.keys) && !isSameKind
    let literals = try WeightMatching.literals(of: baseline, for: candidate)
    for other in theirs where !known.contains(other.name) {
      if try literals.contains(where: { try $0.isStored(as: other, in: candidate.weights) }) {
        continue
      }
      faults.append(.added(other.name))
    }
    self.pairs = areUnrelated ? WeightMatching.tables(ours, theirs) : pairs
    self.faults = areUnrelated ? [] : faults
  }

  /// Whether the candidate's weights are as its files have them, but for their names.
  var isAsStored: Bool {
    trees.isEmpty && layers == nil && pairs.allSatisfy { $0.arrangement == .asStored }
  }

  /// Whether the tables of tokens were told apart, by any name.
  var haveTokenTables: Bool { pairs.contains { $0.ours.role == .tokenTable } }

  /// Whether a model is a program of single operations.
  private static func isProgram(_ model: Model) -> Bool {
    if case .single = model.architecture.shapes { true } else { false }
  }

  /// The weights of a program by the places where it uses them; nil unless each has one, and of other candidates.
  private static func placed(
    _ baseline: Model, _ candidate: Model, _ ours: [WeightReference], _ theirs: [WeightReference]
  ) throws -> [Pair]? {
    guard case .single(let lengths) = candidate.architecture.shapes, let length = lengths.last
    else { return nil }
    if case .single(let own) = baseline.architecture.shapes, !own.contains(length) { return nil }
    guard
      let places = PlacePairing(
        try baseline.architecture.graph(batch: 1, length: length),
        try candidate.architecture.graph(batch: 1, length: length))
    else { return nil }
    let pairs = places.pairs.compactMap { pair -> Pair? in
      let isTurned = pair.arrangement == .transposed
      let shape = isTurned ? pair.theirs.shape.reversed() : pair.theirs.shape
      guard fits(shape, in: pair.ours, mayBeCut: !isTurned) else { return nil }
      return Pair(
        ours: pair.ours,
        theirs: WeightReference(pair.theirs.name, shape, role: pair.theirs.role),
        arrangement: pair.arrangement)
    }
    let literals = try places.literals.map {
      try $0.ours.isStored(as: $0.theirs, in: candidate.weights)
    }
    let addsNothing = try places.added.allSatisfy {
      try candidate.weights.floats(of: $0.name).allSatisfy { $0 == 0 }
    }
    guard pairs.count == places.pairs.count, literals.allSatisfy(\.self), addsNothing,
      Set(pairs.map(\.ours.name)) == Set(ours.map(\.name)),
      Set((pairs.map(\.theirs) + places.literals.map(\.theirs) + places.added).map(\.name))
        .isSuperset(of: theirs.map(\.name))
    else { return nil }
    return pairs
  }

  /// Names as another model has them that may put a prefix before all of them, or leave one out, as
  /// libraries do that save a model with a head or without.
  private static func names(_ names: [TensorName], in others: Set<TensorName>) -> [TensorName] {
    guard let first = names.first, !others.contains(first) else { return names }
    for other in others.sorted() {
      let (here, there) = (first.text, other.text)
      let longer = there.hasSuffix("." + here) ? there.dropLast(here.count) : ""
      let shorter = here.hasSuffix("." + there) ? here.dropLast(there.count) : ""
      let renamed = names.map(\.text).map { name -> TensorName in
        "\(longer)\(name.hasPrefix(shorter) ? name.dropFirst(shorter.count) : name[...])"
      }
      if longer.isEmpty != shorter.isEmpty, others.isSuperset(of: renamed) { return renamed }
    }
    return names
  }

  /// Tables of tokens that are the only ones of their shape on both sides: names need not say which is
  /// which.
  private static func tables(_ ours: [WeightReference], _ theirs: [WeightReference]) -> [Pair] {
    ours.filter { $0.role == .tokenTable }.compactMap { table in
      let found = theirs.filter { $0.shape == table.shape }
      guard found.count == 1, ours.filter({ $0.shape == table.shape }).count == 1 else {
        return nil
      }
      return Pair(ours: table, theirs: found[0])
    }
  }

  /// Numbers with axes that belong to the baseline's graph itself, for an input of the candidate's
  /// length: a program holds them as constants.
  private static func literals(of baseline: Model, for candidate: Model) throws -> [Literal] {
    guard case .single(let lengths) = candidate.architecture.shapes, let length = lengths.last,
      baseline.architecture.shapes == .any
    else { return [] }
    return try baseline.architecture.graph(batch: 1, length: length).nodes
      .flatMap { $0.operation.operands }.compactMap {
        if case .literal(.floats(let values, let shape)) = $0.operand, !shape.isEmpty {
          .floats(values, shape: shape)
        } else {
          nil
        }
      }
  }

  private static func fits(_ shape: [Int], in reference: WeightReference, mayBeCut: Bool) -> Bool {
    if shape == reference.shape { return true }
    guard mayBeCut, reference.role == .positionTable, let rows = shape.first,
      let all = reference.shape.first
    else { return false }
    return rows <= all && shape.dropFirst().elementsEqual(reference.shape.dropFirst())
  }
}

extension Literal {
  /// Whether a weight holds these numbers, as float16 rounds them.
  fileprivate func isStored(
    as weight: WeightReference, in weights: any WeightSource
  ) throws -> Bool {
    guard case .floats(let values, let shape) = self, shape == weight.shape else { return false }
    let stored = try weights.floats(of: weight.name)
    return stored.count == values.count
      && zip(stored, values).allSatisfy { ($0 - $1).magnitude <= 0x1p-11 * $1.magnitude }
  }
}

/// A candidate's weights under the baseline's names and in its shapes.
struct MatchedWeights: WeightSource {
  let baseline: any WeightSource
  let candidate: any WeightSource
  /// Weights of the candidate, by their names in the baseline.
  private let matching: [TensorName: WeightMatching.Pair]
  private let trees: PairedTrees
  private let layers: PairedLayers?

  init(_ matching: WeightMatching, baseline: Model, candidate: Model) {
    self.baseline = baseline.weights
    self.candidate = candidate.weights
    trees = matching.trees
    layers = matching.layers
    self.matching = Dictionary(matching.pairs.map { ($0.ours.name, $0) }) { first, _ in first }
  }

  var names: [TensorName] { baseline.names }

  func shape(of name: TensorName) -> [Int]? { baseline.shape(of: name) }

  /// Rows that the candidate does not have are the baseline's.
  func floats(of name: TensorName) throws -> [Float] {
    if let values = layers?.values[name] { return values }
    guard let pair = matching[name] else { return try candidate.floats(of: name) }
    let values = try floats(of: pair)
    let all = try baseline.floats(of: name)
    if let placed = trees.floats(of: name, ours: all, theirs: values) { return placed }
    return values.count < all.count ? values + all[values.count...] : values
  }

  /// The candidate's numbers at one place, in the order of the baseline's, but for trees and linear layers.
  func floats(of pair: WeightMatching.Pair) throws -> [Float] {
    pair.arrangement.apply(to: try candidate.floats(of: pair.theirs.name), pair.ours.shape)
  }
}
