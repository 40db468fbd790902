import Graph
import Weights

/// Weights with some of them replaced; never the bytes that are on a disk.
struct MendedWeights: WeightFile {
  private let base: any WeightFile
  private let values: [TensorName: [Float]]
  /// Says the shapes where they are not those of `base`.
  private let shapes: (any WeightSource)?

  init(
    _ base: any WeightFile, _ values: [TensorName: [Float]], shapes: (any WeightSource)? = nil
  ) {
    (self.base, self.values, self.shapes) = (base, values, shapes)
  }

  var names: [TensorName] { base.names }
  var files: [String] { base.files }

  func shape(of name: TensorName) -> [Int]? { (shapes ?? base).shape(of: name) }

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
