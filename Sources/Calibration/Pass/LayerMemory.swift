import Files
import Graph
import StrictJSON
import WeightCompression
import Weights

/// Memory for fitting a layer, estimated from its shape.
///
/// The figures are measured at the peak: second moments of the inputs and their factors for each pair
/// of inputs, moments and copies of the weights for each weight.
enum LayerMemory {
  /// Bytes for each pair of inputs: two copies of the sums, the matrix, its factor and a copy.
  private static let perPair = 28.0
  /// Bytes for each weight, in addition to those of plain compression.
  private static let perWeight = 40.0
  /// Bytes for each number of the rows that are summed at once.
  private static let perValue = 12.0

  /// Bytes at the peak of fitting one layer; `Int.max` if they do not fit.
  ///
  /// - Parameters:
  ///   - inputs: of one output.
  ///   - outputs: of all groups.
  ///   - rows: of the layer's inputs, as far as they are known.
  ///   - groups: parts of the outputs that have inputs of their own.
  static func byteCount(inputs: Int, outputs: Int, rows: Int, groups: Int = 1) -> Int {
    let (inputs, outputs, groups) = (Double(inputs), Double(outputs), Double(groups))
    let summed = Double(min(rows, LayerStatistics.usualBlockRows))
    let bytes =
      perPair * groups * inputs * inputs + perWeight * inputs * outputs
      + perValue * summed * (groups * inputs + outputs)
    return bytes < 0x1p62 ? Int(bytes) : .max
  }

  /// Checks that there is memory to fit a layer.
  ///
  /// - Parameters:
  ///   - path: of the model, for messages.
  /// - Throws: `FileError.noMemory`.
  static func require(for layer: CalibratedLayer, rows: Int, of path: String) throws(FileError) {
    let weight = layer.weight
    try Memory.require(
      byteCount(
        inputs: layer.inputCount, outputs: weight.channels, rows: rows, groups: layer.groupCount),
      for: "calibrating tensor \(quoted(weight.name))", of: path)
  }

  /// Checks that there is memory to fit each of some layers, before work begins on any.
  static func require(for layers: [CalibratedLayer], of path: String) throws(FileError) {
    let needs = layers.map {
      byteCount(
        inputs: $0.inputCount, outputs: $0.weight.channels, rows: 0, groups: $0.groupCount)
    }
    guard let maximum = needs.indices.max(by: { needs[$0] < needs[$1] }) else { return }
    try require(for: layers[maximum], rows: 0, of: path)
  }
}
