import Graph
import Inputs
import Trees
import Weights

/// Which lines of the weights of a model of tables references reach: columns that are multiplied with different
/// numbers, leaves of trees to which a row comes, and rows whose outputs the next layer reads as different numbers.
/// What is the same number for all references only adds something.
///
/// It runs the baseline once more over some references, when it is first asked.
struct ReachedLines {
  private let model: Model
  private let inputs: [Input]
  private let jobs: Int
  /// By the names of weights.
  private var found: (columns: [TensorName: [Bool]], rows: [TensorName: [Bool]])?

  /// References that are looked at, at most, spread evenly.
  private static let most = 2048

  init(_ model: Model, _ inputs: [Input], jobs: Int) {
    (self.model, self.jobs) = (model, jobs)
    let step = max(1, (inputs.count + Self.most - 1) / Self.most)
    self.inputs = stride(from: 0, to: inputs.count, by: step).map { inputs[$0] }
  }

  /// One for each row of the weight of a hidden layer, or number of its bias; nil of any other weight.
  ///
  /// - Throws: as `columns(of:)`.
  mutating func rows(of weight: TensorName) throws -> [Bool]? {
    try look()
    return found?.rows[weight]
  }

  /// One for each column of a weight; nil of any other weight.
  ///
  /// - Throws: as `ModelRunner.outputs(for:)`, and errors of the weights.
  mutating func columns(of weight: TensorName) throws -> [Bool]? {
    try look()
    return found?.columns[weight]
  }

  private mutating func look() throws {
    guard found == nil else { return }
    let graph = try model.graph(batch: 1, length: 1)
    var readers = try graph.nodes.compactMap { try ColumnReader($0.operation, model) }
    let runner = try ModelRunner(model: model, jobs: jobs)
    try runner.values(named: Set(readers.map(\.value)), for: inputs) { value, rows in
      for place in readers.indices where readers[place].value == value { readers[place].take(rows) }
    }
    var columns: [TensorName: [Bool]] = [:]
    var rows: [TensorName: [Bool]] = [:]
    let layers = graph.nodes.filter { ColumnReader.isProduct($0.operation) }.map(graph.layer)
    for place in readers.indices {
      readers[place].isHidden = layers.contains { $0.value == readers[place].value }
      columns[readers[place].weight] = readers[place].reached
    }
    for (weights, value) in layers {
      guard let reader = readers.first(where: { $0.value == value && $0.isProduct }) else {
        continue
      }
      for weight in weights { rows[weight] = reader.reached }
    }
    found = (columns, rows)
  }
}

extension ModelGraph {
  /// The weights of a layer that begins with a product, and the value that it ends with: what is done number by
  /// number, as long as nothing else reads it.
  fileprivate func layer(from product: Node) -> (weights: [TensorName], value: String) {
    var (node, weights) = (product, product.weightNames)
    while true {
      let readers = nodes.filter { reader in
        reader.operation.operands.contains { $0.operand == .value(node.name) }
      }
      guard readers.count == 1, !ColumnReader.isProduct(readers[0].operation),
        readers[0].type.shape == product.type.shape
      else { return (weights, node.name) }
      node = readers[0]
      weights += node.weightNames
    }
  }
}

extension ModelGraph.Node {
  fileprivate var weightNames: [TensorName] {
    operation.operands.compactMap {
      if case .weight(let weight) = $0.operand { weight.name } else { nil }
    }
  }
}

/// What reads columns of a matrix.
private struct ColumnReader {
  private enum Kind {
    case product
    case trees(TreeEnsemble)
  }

  /// The value of the graph that it reads, and the weight.
  let value: String
  let weight: TensorName
  private let columnCount: Int
  private let kind: Kind
  /// Of each column the least number and the largest; of leaves 0 and 1 where a row came.
  private var least: [Double]
  private var largest: [Double]

  /// Whether it reads units of a layer, which have one scale; features have their own.
  var isHidden = false

  /// Numbers that differ by less of their size, or units that differ by less than others, are the same: a unit may be
  /// saturated.
  private static let share = 0x1p-12

  var isProduct: Bool { if case .product = kind { true } else { false } }

  static func isProduct(_ operation: any Operation) -> Bool {
    operation is Linear || operation is Matmul
  }

  /// - Returns: nil of operations that have no matrix of the model.
  init?(_ operation: any Operation, _ model: Model) throws {
    switch operation {
    case let linear as Linear:
      guard case .value(let value) = linear.x, case .weight(let weight) = linear.weight else {
        return nil
      }
      (self.value, self.weight, kind) = (value, weight.name, .product)
      columnCount = weight.shape[1]
    case let product as Matmul:
      guard case .value(let value) = product.x, case .weight(let weight) = product.y,
        !product.transposeX, !product.transposeY, weight.shape.count == 2
      else { return nil }
      (self.value, self.weight, kind) = (value, weight.name, .product)
      columnCount = weight.shape[0]
    case let trees as TreeSum:
      guard case .value(let value) = trees.x,
        let leaves = zip(TreeArrays.allCases, trees.arrays).first(where: { $0.0 == .leaves })?.1
      else { return nil }
      (self.value, weight) = (value, leaves.name)
      kind = .trees(try trees.ensemble(of: model.weights))
      columnCount = trees.header.leafCount
    default: return nil
    }
    let isLeaves = if case .trees = kind { true } else { false }
    least = [Double](repeating: isLeaves ? 0 : .infinity, count: columnCount)
    largest = [Double](repeating: isLeaves ? 0 : -.infinity, count: columnCount)
  }

  /// Looks at rows.
  ///
  /// - Parameter rows: of the value, one after the other.
  mutating func take(_ rows: [Double]) {
    switch kind {
    case .product:
      for (place, number) in rows.enumerated() {
        let column = place % columnCount
        least[column] = min(least[column], number)
        largest[column] = max(largest[column], number)
      }
    case .trees(let trees):
      for start in stride(from: 0, to: rows.count, by: trees.featureCount) {
        let row = Array(rows[start..<start + trees.featureCount])
        for tree in 0..<trees.treeCount { largest[trees.leaf(of: row, tree)] = 1 }
      }
    }
  }

  /// Whether references reach each column.
  var reached: [Bool] {
    let range = isHidden ? zip(least, largest).map { $1 - $0 }.max() ?? 0 : 0
    return zip(least, largest).map {
      $1 - $0 > Self.share * max($0.magnitude, $1.magnitude, range)
    }
  }
}
