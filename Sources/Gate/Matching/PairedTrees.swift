import Graph
import Trees
import Weights

/// Which nodes belong together, of trees that have the same form in two models and were merged in one.
struct PairedTrees {
  private let arrays: [TensorName: (array: TreeArrays, pairing: TreePairing)]

  /// None where a tree has another form, or where the arrays of both models have the same shapes.
  init(_ baseline: Model, _ candidate: Model) throws {
    let ours = try PlacedTrees.all(of: baseline.architecture)
    let theirs = try PlacedTrees.all(of: candidate.architecture)
    var arrays: [TensorName: (array: TreeArrays, pairing: TreePairing)] = [:]
    let isSameKind = type(of: baseline.architecture) == type(of: candidate.architecture)
    if isSameKind, ours.map(\.name) == theirs.map(\.name) {
      for (own, other) in zip(ours, theirs) where own.header != other.header {
        guard
          let pairing = TreePairing(
            try PairedTrees.ensemble(own, of: baseline.weights),
            try PairedTrees.ensemble(other, of: candidate.weights))
        else { continue }
        for array in TreeArrays.allCases { arrays[own.tensorName(array)] = (array, pairing) }
      }
    }
    self.arrays = arrays
  }

  private static func ensemble(
    _ trees: PlacedTrees, of weights: any WeightSource
  ) throws -> TreeEnsemble {
    let path = (weights as? any WeightFile)?.files.first ?? "the trees"
    return try trees.ensemble(path: path) { try weights.doubles(of: $0) }
  }

  /// Whether no trees of both models are paired.
  var isEmpty: Bool { arrays.isEmpty }

  /// Whether an array of the baseline is one of paired trees.
  func has(_ name: TensorName) -> Bool { arrays[name] != nil }

  /// The candidate's numbers of an array in the baseline's places; nil of any other array.
  func floats(of name: TensorName, ours: [Float], theirs: [Float]) -> [Float]? {
    arrays[name].map { $0.pairing.floats(of: $0.array, ours: ours, theirs: theirs) }
  }
}
