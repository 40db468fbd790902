package import Graph
package import Weights

/// Which weights of a graph hold the numbers of another one, and so need be stored only once.
///
/// Tied weights have equal shapes, values equal bit for bit, and different names. Whether they can
/// share what is stored depends on their schemes: a table and a matrix have channels of other kinds.
package struct TiedWeights: Sendable {
  /// Groups of tied weights, each in the graph's order of use.
  package let groups: [[WeightReference]]
  /// Each later name, and the first of its group.
  private let firsts: [TensorName: TensorName]

  /// Reads the beginning of every weight whose shape another one has, and all of it, piece by piece,
  /// where two begin alike.
  ///
  /// - Throws: what the source throws for a weight that it has and cannot give.
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

  /// The first name, in the graph's order of use, of the weight that holds the numbers of `name`:
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
