package import Graph
package import StrictJSON
import Trees
import WeightCompression
import Weights

/// What there is of the trees of a model, for `inspect`.
package struct TreeInspection: Sendable {
  /// What the names of their arrays begin with.
  private let name: String
  private let isAlone: Bool
  private let shape: TreeShape
  /// Bits of a number of each array, in the order of `TreeArrays`.
  private let bits: [(array: TreeArrays, bits: Int)]

  /// The trees of a model in the order in which they run; none of a model that has no trees.
  ///
  /// - Throws: `TreeError` of trees that do not go together, and errors of reading arrays.
  package static func all(of model: Model) throws -> [TreeInspection] {
    let placed = try PlacedTrees.all(of: model.architecture)
    let storage = ModelFormat.storage(ofOpened: model)
    let references = Dictionary(
      try model.usedWeights().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return try placed.map { trees in
      let ensemble = try trees.ensemble(path: model.origin) { try model.weights.doubles(of: $0) }
      let bits = try TreeArrays.allCases.compactMap { array -> (TreeArrays, Int)? in
        guard let reference = references[trees.tensorName(array)] else { return nil }
        let stored = try storage?.stored(reference)?.scheme
        let own = (model.weights as? WeightCollection)?.tensors
          .first { $0.name == reference.name }?.elementType.bitWidth
        return (array, stored?.own.storedBits(.float32) ?? own ?? 32)
      }
      return TreeInspection(
        name: trees.name, isAlone: model.architecture is ForestModel, shape: TreeShape(ensemble),
        bits: bits)
    }
  }

  /// Two lines for people; names in them are as files have them.
  package var lines: [String] {
    let shared =
      shape.unmergedBranches > shape.branches
      ? " (\(shape.unmergedBranches) if no two trees shared any)" : ""
    let counts = [
      "\(Figures.count(shape.trees, "tree")) of depth \(shape.depth)",
      "\(shape.branches) \(shape.branches == 1 ? "branch" : "branches")\(shared)",
      shape.leaves == 1 ? "1 leaf" : "\(shape.leaves) leaves",
      "\(Figures.count(shape.thresholds, "distinct threshold")) of \(Figures.count(shape.features, "feature"))",
    ]
    let widths = bits.map { "\($0.array.rawValue) \($0.bits)" }.joined(separator: ", ")
    return [
      "\(isAlone ? "trees" : "trees '\(name)'"): \(counts.joined(separator: ", "))",
      "bits of a number: \(widths)",
    ]
  }

  /// The same for programs.
  package var json: JSONValue {
    [
      "name": .string(name), "trees": .integer(shape.trees), "depth": .integer(shape.depth),
      "branches": .integer(shape.branches), "unmergedBranches": .integer(shape.unmergedBranches),
      "leaves": .integer(shape.leaves), "thresholds": .integer(shape.thresholds),
      "features": .integer(shape.features),
      "bits": .object(
        Dictionary(bits.map { ($0.array.rawValue, .integer($0.bits)) }) { first, _ in first }),
    ]
  }
}
