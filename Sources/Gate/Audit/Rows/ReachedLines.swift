import Graph
import Inputs
import Trees
import Weights

/// Which lines of the weights of a model of tables references reach: columns that are multiplied with a number
/// other than 0, leaves of trees to which a row comes, and rows whose outputs the next layer reads as another number
/// than 0.
///
/// It runs the baseline once more over some references, when it is first asked.
struct ReachedLines {
  private let model: Model
  private let inputs: [Input]
  private let jobs: Int
  /// By the names of weights.
  private var columns: [TensorName: [Bool]]?

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
    guard let dense = model.architecture as? Dense else { return nil }
    let place = dense.layers.firstIndex { $0.weight.name == weight || $0.bias?.name == weight }
    guard let place, place + 1 < dense.layers.count else { return nil }
    return try columns(of: dense.layers[place + 1].weight.name)
  }

  /// One for each column of a weight; nil of a weight that is no such matrix.
  ///
  /// - Throws: as `ModelRunner.outputs(for:)`, and errors of the weights.
  mutating func columns(of weight: TensorName) throws -> [Bool]? {
    if let columns { return columns[weight] }
    let found = try found()
    columns = found
    return found[weight]
  }

  private func found() throws -> [TensorName: [Bool]] {
    let graph = try model.graph(batch: 1, length: 1)
    var marks: [TensorName: [Bool]] = [:]
    let readers = try graph.nodes.compactMap { try ColumnReader($0.operation, model) }
    let runner = try ModelRunner(model: model, jobs: jobs)
    try runner.values(named: Set(readers.map(\.value)), for: inputs) { value, rows in
      for reader in readers where reader.value == value {
        reader.mark(rows, in: &marks[reader.weight, default: reader.none])
      }
    }
    return marks
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
  }

  /// No column.
  var none: [Bool] { [Bool](repeating: false, count: columnCount) }

  /// Marks what rows reach.
  ///
  /// - Parameter rows: of the value, one after the other.
  func mark(_ rows: [Double], in marks: inout [Bool]) {
    switch kind {
    case .product:
      for (place, number) in rows.enumerated() where number != 0 {
        marks[place % columnCount] = true
      }
    case .trees(let trees):
      for start in stride(from: 0, to: rows.count, by: trees.featureCount) {
        let row = Array(rows[start..<start + trees.featureCount])
        for tree in 0..<trees.treeCount { marks[trees.leaf(of: row, tree)] = true }
      }
    }
  }
}
