import Foundation
import Weights

/// Numbers that are added to the scores of attention, learnt for each bucket of distances between two
/// tokens and each head; all blocks share them.
///
/// Source: Raffel et al. 2019, arXiv:1910.10683, section 2.1; Song et al. 2020, arXiv:2004.09297.
struct DistanceBuckets: Sendable {
  /// The table's name, without the checkpoint's prefix: [buckets, heads].
  let table: String
  /// Half of them for keys before the query, half for those behind it.
  let count: Int
  /// The distance from which on all share a bucket.
  let farthest: Int

  /// The bucket of every pair: [length, length], queries × keys.
  func ofPairs(length: Int) -> Literal {
    // One of each distance: a bucket depends on nothing else.
    let behind = (0..<length).map { Int32(clamping: bucket(distance: $0)) }
    let half = Int32(clamping: count / 2)
    let pairs = (0..<length).flatMap { query in
      (0..<length).map { key in key > query ? half + behind[key - query] : behind[query - key] }
    }
    return .integers(pairs, shape: [length, length])
  }

  /// Near distances have buckets of their own, farther ones share buckets that grow with the
  /// logarithm; computed in float32, as the library does.
  private func bucket(distance: Int) -> Int {
    let half = count / 2, exact = half / 2
    guard distance >= exact else { return distance }
    let growth = Float(log(Double(farthest) / Double(exact)))
    let grown = log(Float(distance) / Float(exact)) / growth * Float(half - exact)
    return min(exact + Int(grown), half - 1)
  }
}

extension PostNormGraph {
  /// The mask with the buckets' numbers added: [B, 1, 1, S] → [B, A, S, S].
  mutating func biased(
    _ mask: Operand, by distances: DistanceBuckets
  ) throws(GraphError) -> Operand {
    let table = Operand.weight(
      WeightReference(
        "\(shape.prefix.text)\(distances.table)", [distances.count, shape.heads],
        role: .positionTable))
    let pairs = try graph.append(
      "distance_pairs", Gather(table, indices: .literal(distances.ofPairs(length: length))))
    let heads = try graph.append(
      "distance_heads", Transpose(pairs, permutation: [2, 0, 1]))
    let wide = try graph.append("distance_bias", ExpandDims(heads, axes: [0]))
    return try graph.append("distance_mask", ElementwiseBinary(.add, mask, wide))
  }
}
