import Graph
import ModelFixtures
import Weights

/// Describing files held in memory.
func files(_ texts: [String: String]) -> ModelFiles {
  ModelFiles(carriedBy: "model", texts: texts.mapValues { Array($0.utf8) })
}

extension ShapesOnly {
  init(named shapes: [String: [Int]], wholeNumbers: [String: String] = [:]) {
    func named<Value>(_ values: [String: Value]) -> [TensorName: Value] {
      Dictionary(values.map { (TensorName($0.key), $0.value) }) { first, _ in first }
    }
    self.init(shapes: named(shapes), wholeNumbers: named(wholeNumbers))
  }
}
