import Graph
import IngotFeatures
import Trees
import Weights

/// Which nodes belong together, of trees that have other arrays in two models: equal nodes were merged in one, or
/// another tool laid them out.
struct PairedTrees {
  /// How an array of the candidate becomes one of the baseline's.
  private enum Pairing {
    case nodes(TreePairing)
    /// Numbers of the candidate's leaves in the baseline's places; all else decides as the baseline's does.
    case leaves([Float])
  }

  private let arrays: [TensorName: (array: TreeArrays, pairing: Pairing)]
  /// Why trees of another layout are not the baseline's; nil where they are, or have the baseline's layout.
  let fault: WeightFault?

  /// None where a tree of the same library has another form, or where the arrays of both models have the same
  /// shapes.
  init(_ baseline: Model, _ candidate: Model) throws {
    let ours = try PlacedTrees.all(of: baseline.architecture)
    let theirs = try PlacedTrees.all(of: candidate.architecture)
    var arrays: [TensorName: (array: TreeArrays, pairing: Pairing)] = [:]
    var fault: WeightFault?
    let isSameKind = type(of: baseline.architecture) == type(of: candidate.architecture)
    let isLaidOutOtherwise = baseline.architecture.isLaidOutOtherwise(than: candidate.architecture)
    if isSameKind, ours.map(\.name) == theirs.map(\.name) {
      for (own, other) in zip(ours, theirs) where isLaidOutOtherwise || own.header != other.header {
        let trees = try PairedTrees.ensemble(own, of: baseline.weights)
        let others = try PairedTrees.ensemble(other, of: candidate.weights)
        var pairing: Pairing?
        if isLaidOutOtherwise {
          let rows = PossibleRows(of: baseline.architecture, featureCount: trees.featureCount)
          do throws(TreeDifference) {
            pairing = .leaves(try rows.leaves(of: others, inPlacesOf: trees))
          } catch {
            fault = .trees(error, feature: rows.feature(of: error))
          }
        } else {
          pairing = TreePairing(trees, others).map(Pairing.nodes)
        }
        guard let pairing else { continue }
        for array in TreeArrays.allCases { arrays[own.tensorName(array)] = (array, pairing) }
      }
    }
    self.arrays = arrays
    self.fault = fault
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
    guard let (array, pairing) = arrays[name] else { return nil }
    switch pairing {
    case .nodes(let nodes): return nodes.floats(of: array, ours: ours, theirs: theirs)
    case .leaves(let leaves): return array == .leaves ? leaves : ours
    }
  }
}

/// The rows that features let come to trees.
private struct PossibleRows {
  private let names: [String]
  private let takesMissing: [Bool]
  private let isWhole: [Bool]

  init(of architecture: any Architecture, featureCount: Int) {
    guard case .features(let schema) = architecture.input, schema.features.count == featureCount
    else {
      names = (0..<featureCount).map { "\($0)" }
      takesMissing = names.map { _ in true }
      isWhole = names.map { _ in false }
      return
    }
    names = schema.names
    takesMissing = schema.features.map(\.mayBeMissing)
    isWhole = schema.features.map(\.isWhole)
  }

  func leaves(
    of others: TreeEnsemble, inPlacesOf trees: TreeEnsemble
  ) throws(TreeDifference) -> [Float] {
    try FunctionPairing(trees, others, takesMissing: takesMissing, isWhole: isWhole).leaves
      .map { Float($0) }
  }

  /// The name of the feature that a difference is about.
  func feature(of difference: TreeDifference) -> String? {
    if case .decision(_, let feature, _) = difference { names[feature] } else { nil }
  }
}

extension Feature {
  /// Whether trees may meet a missing value of it.
  fileprivate var mayBeMissing: Bool {
    switch missing {
    case .taken: return true
    case .replaced: return false
    case .refused:
      guard case .category(let list) = kind else { return false }
      return list.unknown == .missing
    }
  }

  /// Whether its values are whole numbers from 0 on.
  fileprivate var isWhole: Bool {
    switch kind {
    case .boolean, .category: true
    case .number, .cyclic: false
    }
  }
}
