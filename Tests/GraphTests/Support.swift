import Graph
import Weights

/// Weights that have shapes only; enough to build graphs.
struct ShapesOnly: WeightFile {
  let shapes: [String: [Int]]
  /// Types of tensors of whole numbers.
  var wholeNumbers: [String: String] = [:]

  var files: [String] { [] }
  func digest() -> ContentDigest { ContentDigest(of: []) }

  var names: [String] { shapes.keys.sorted() }
  func shape(of name: String) -> [Int]? { shapes[name] }
  func wholeNumberType(of name: String) -> String? { wholeNumbers[name] }
  func floats(of name: String) -> [Float] {
    Array(repeating: 0, count: shapes[name, default: []].reduce(1, *))
  }
}

/// Describing files held in memory.
func files(_ texts: [String: String]) -> ModelFiles {
  ModelFiles(carriedBy: "model", texts: texts.mapValues { Array($0.utf8) })
}
