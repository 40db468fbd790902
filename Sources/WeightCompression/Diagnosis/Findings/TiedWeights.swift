package import Graph
package import Weights

/// Groups weights of a graph that hold the same numbers and so need to be stored only once.
///
/// Tied weights have equal shapes, bit-identical values, and different names. Whether they can
/// share storage depends on their schemes: tables and matrices have different channel axes.
package struct TiedWeights: Sendable {
  /// Groups of tied weights, each in the order in which the graph uses them.
  package let groups: [[WeightReference]]
  /// Each later name, and the first of its group.
  private let firsts: [TensorName: TensorName]

  /// Reads the beginning of every weight whose shape another one has, and all of it, piece by piece,
  /// where two begin alike.
  ///
  /// - Throws: errors of the source for a weight that it has but cannot read.
  package init(_ weights: [WeightReference], in source: any WeightSource) throws {
    let known = weights.filter { source.shape(of: $0.name) != nil }
    let sharing = Self.counts(known.map(\.shape))
    let starts = try known.map { weight in
      sharing[weight.shape] == 1
        ? nil
        : Key(
          shape: weight.shape,
          hash: ContentHash(try source.floats(of: weight.name, first: Self.probe)))
    }
    let beginnings = Self.counts(starts.compactMap(\.self))
    let keys = try zip(known, starts).map { weight, start -> Key? in
      guard let start, beginnings[start] != 1 else { return nil }
      return Key(shape: weight.shape, hash: try Self.hash(of: weight.name, in: source))
    }
    let places = try EqualTensors.groups(keys) { first, second in
      try EqualTensors.areSame(known[first].name, known[second].name, in: source)
    }
    groups = places.map { $0.map { known[$0] } }
    var firsts: [TensorName: TensorName] = [:]
    for group in groups {
      for weight in group.dropFirst() { firsts[weight.name] = group[0].name }
    }
    self.firsts = firsts
  }

  /// The first weight, in the order in which the graph uses them, with the numbers of `name`:
  /// `name` itself unless it is tied to an earlier one.
  package func first(of name: TensorName) -> TensorName { firsts[name] ?? name }

  /// Values that tell most weights apart.
  private static let probe = 256

  private static func counts<Thing: Hashable>(_ things: [Thing]) -> [Thing: Int] {
    things.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func hash(of name: TensorName, in source: any WeightSource) throws -> ContentHash {
    var state = ContentHash.State()
    try source.forEachPiece(of: name) {
      state.add($0)
      return true
    }
    return state.finish()
  }

  private struct Key: Hashable {
    let shape: [Int]
    let hash: ContentHash
  }
}
