import Graph
import Weights

/// Weights with some of them replaced; never the bytes that are on a disk.
struct MendedWeights: WeightFile {
  private let base: any WeightFile
  private let values: [TensorName: [Float]]

  init(_ base: any WeightFile, _ values: [TensorName: [Float]]) {
    (self.base, self.values) = (base, values)
  }

  var names: [TensorName] { base.names }
  var files: [String] { base.files }

  func shape(of name: TensorName) -> [Int]? { base.shape(of: name) }

  func floats(of name: TensorName) throws -> [Float] {
    try values[name] ?? base.floats(of: name)
  }

  /// Another one than that of the weights on disk: a receipt of these can name no file.
  func digest() -> ContentDigest {
    .combining(
      [("weights", base.digest())]
        + values.map { name, floats in
          (
            "replaced \(name.text)",
            ContentDigest(of: floats.littleEndianBytes)
          )
        })
  }
}
