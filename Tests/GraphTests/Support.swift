import Graph
import Weights

/// Weights that have shapes only; enough to build graphs.
struct ShapesOnly: WeightFile {
  let shapes: [String: [Int]]
  /// Types of tensors of whole numbers.
  var wholeNumbers: [String: String] = [:]

  var files: [String] { [] }
  func digest() -> ContentDigest { ContentDigest(of: []) }

  var names: [TensorName] { shapes.keys.map { TensorName($0) }.sorted() }
  func shape(of name: TensorName) -> [Int]? { shapes[name.text] }
  func wholeNumberType(of name: TensorName) -> String? { wholeNumbers[name.text] }
  func floats(of name: TensorName) -> [Float] {
    Array(repeating: 0, count: shapes[name.text, default: []].reduce(1, *))
  }
}

/// Describing files held in memory.
func files(_ texts: [String: String]) -> ModelFiles {
  ModelFiles(carriedBy: "model", texts: texts.mapValues { Array($0.utf8) })
}
