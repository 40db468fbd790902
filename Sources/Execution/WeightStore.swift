import Files
import Graph
import StrictJSON
import Trees
import Weights

/// The weights of one source as constants, each converted once, at first use, and shared by all
/// plans and threads.
final class WeightStore: Sendable {
  /// The layout of weights in memory.
  enum Layout: Hashable, Sendable {
    /// Row-major as stored.
    case asStored
    /// Matrices [outᵢ, in] (or biases [outᵢ]) joined along their outputs: [in, Σ outᵢ], rows as far
    /// apart as the matrix product likes them.
    case inputMajor
  }

  private struct Key: Hashable {
    let names: [TensorName]
    let shapes: [[Int]]
    let layout: Layout
  }

  private let source: any WeightSource
  private let constants = Mutex<[Key: Constant]>([:])
  private let ensembles = Mutex<[Key: PackedTrees]>([:])
  /// The store of constants that use none of the weights of `own`; nil if all are made here.
  private let shared: WeightStore?
  /// Names whose weights are this source's.
  private let own: Set<TensorName>

  init(_ source: any WeightSource) {
    self.source = source
    shared = nil
    own = []
  }

  /// The weights of some names from `source`, and all others of another store.
  init(_ source: any WeightSource, of names: [TensorName], beside shared: WeightStore) {
    self.source = source
    self.shared = shared
    own = Set(names)
  }

  /// The constant for weights in a layout; one weight unless the layout joins them.
  func constant(
    _ references: [WeightReference], _ layout: Layout, for place: ExecutionError.Place
  ) throws -> Constant {
    let key = Key(
      names: references.map(\.name), shapes: references.map(\.shape), layout: layout)
    if let shared, own.isDisjoint(with: key.names) {
      return try shared.constant(references, layout, for: place)
    }
    return try constants.withLock { constants in
      if let constant = constants[key] { return constant }
      for reference in references { try check(reference, place) }
      try requireMemory(for: references)
      let constant =
        switch layout {
        case .asStored: Constant(try floats(references[0], place))
        case .inputMajor: try joined(references, place)
        }
      constants[key] = constant
      return constant
    }
  }

  /// The trees of an operation's weights, laid out once.
  func trees(_ operation: TreeSum, for place: ExecutionError.Place) throws -> PackedTrees {
    let key = Key(
      names: operation.arrays.map(\.name), shapes: operation.arrays.map(\.shape), layout: .asStored)
    if let shared, own.isDisjoint(with: key.names) {
      return try shared.trees(operation, for: place)
    }
    return try ensembles.withLock { ensembles in
      if let known = ensembles[key] { return known }
      for reference in operation.arrays { try check(reference, place) }
      try requireMemory(for: operation.arrays)
      let trees = PackedTrees(try operation.ensemble(of: source))
      ensembles[key] = trees
      return trees
    }
  }

  /// Frees the constants that no plan holds; those that are needed again are made anew.
  func forget() {
    constants.withLock { $0.removeAll() }
    ensembles.withLock { $0.removeAll() }
  }

  private func check(_ reference: WeightReference, _ place: ExecutionError.Place) throws {
    guard let stored = source.shape(of: reference.name) else {
      throw ExecutionError.missingWeight(place, weight: reference.name)
    }
    guard Model.matches(stored: stored, needed: reference.shape) else {
      throw ExecutionError.weightShape(
        place, weight: reference.name, stored: stored, needed: reference.shape)
    }
  }

  /// Checks that there is memory for weights as read and as kept.
  private func requireMemory(for references: [WeightReference]) throws {
    let count = references.reduce(0) { $0 + $1.elementCount }
    try Memory.require(
      2 * count * Tensor.stride, for: "running weight \(quoted(references[0].name))",
      of: (source as? any WeightFile)?.files.first ?? "the weights")
  }

  private func floats(_ reference: WeightReference, _ place: ExecutionError.Place) throws -> [Float]
  {
    let values = try source.floats(of: reference.name)
    guard values.count == reference.elementCount else {
      throw ExecutionError.weightCount(
        place, weight: reference.name, count: values.count, shape: reference.shape)
    }
    return values
  }

  private func joined(
    _ references: [WeightReference], _ place: ExecutionError.Place
  ) throws -> Constant {
    let outputs = references.reduce(0) { $0 + $1.shape[0] }
    let inputs = references[0].shape.count == 2 ? references[0].shape[1] : 1
    let stride = MatrixProduct.rowStride(columns: outputs)
    return try Constant(count: max(0, (inputs - 1) * stride + outputs)) { memory in
      var first = 0
      for reference in references {
        let values = try floats(reference, place)
        for output in 0..<reference.shape[0] {
          for input in 0..<inputs {
            unsafe memory.floats[input * stride + first + output] = values[output * inputs + input]
          }
        }
        first += reference.shape[0]
      }
    }
  }
}
