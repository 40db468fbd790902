import Graph
import WeightCompression

/// The values of one layer: its inputs in the compressed model, and the outputs wanted so that the
/// compressed model goes on as the original does.
struct LayerValues {
  let layer: CalibratedLayer
  /// Inputs of each batch in the compressed model.
  let inputs: [[Float]]
  /// Outputs of each batch in the original model, the layer's own bias included; of a layer that is
  /// fitted by its inputs those.
  let outputs: [[Float]]
  /// The values the outputs are added to, in the original and the compressed model; empty without a
  /// residual.
  let residuals: (original: [[Float]], compressed: [[Float]])
  /// Inputs of the model in each batch; never 0.
  let counts: [Int]
  /// See `CalibrationSettings.firstRowShare`.
  let firstRowShare: Double

  /// Rows of the layer's inputs, all batches together.
  var rowCount: Int {
    guard let patches = layer.patches else {
      return inputs.reduce(0) { $0 + $1.count } / layer.inputCount
    }
    return counts.reduce(0, +) * patches.perImage
  }

  /// Empty statistics for a layer's weight, one for each group of its outputs.
  static func statistics(of layer: CalibratedLayer, jobs: Int) -> [LayerStatistics] {
    let groups = layer.groupCount
    let outputs = layer.isFittedByInputs ? layer.inputCount : layer.weight.channels / groups
    let statistics = LayerStatistics(inputs: layer.inputCount, outputs: outputs, jobs: jobs)
    return Array(repeating: statistics, count: groups)
  }

  /// Adds to the statistics the layer's weight is fitted by.
  ///
  /// The rows of each input of the model (the tokens of a sentence) together weigh as much as those
  /// of any other, except where only the first row is used; all weights add up to 1.
  ///
  /// - Parameter statistics: of each group of outputs.
  /// - Throws: `CalibrationError`.
  func add(to statistics: inout [LayerStatistics]) throws(CalibrationError) {
    let total = counts.reduce(0, +)
    for batch in inputs.indices {
      let wanted = targets(batch)
      for group in statistics.indices {
        let values = layer.patches?.inputs(inputs[batch], group: group) ?? inputs[batch]
        let targets = layer.patches?.outputs(wanted, group: group) ?? wanted
        let rows = values.count / layer.inputCount
        let weights = self.weights(ofRows: rows, perInput: rows / counts[batch], total)
        do throws(GPTQError) {
          try LayerValues.add(values, targets, weights, to: &statistics[group])
        } catch {
          throw CalibrationError(error, layer: layer.weight.name)
        }
      }
    }
  }

  // Of rows among which those of one input are `perInput` in a row.
  private func weights(ofRows rows: Int, perInput: Int, _ inputs: Int) -> [Float] {
    let share = layer.isFirstRowTaken ? firstRowShare : 0
    let each = Float((1 - share) / Double(inputs * max(1, perInput)))
    let first = each + Float(share / Double(inputs))
    return (0..<rows).map { $0 % max(1, perInput) == 0 ? first : each }
  }

  private static func add(
    _ inputs: [Float], _ targets: [Float], _ weights: [Float], to statistics: inout LayerStatistics
  ) throws(GPTQError) {
    try unsafe inputs.withUnsafeBufferPointer { inputs throws(GPTQError) in
      try unsafe targets.withUnsafeBufferPointer { targets throws(GPTQError) in
        try unsafe statistics.add(inputs: inputs, targets: targets, rowWeights: weights)
      }
    }
  }

  // Outputs, plus the part that the compressed model's residual lacks.
  private func targets(_ batch: Int) -> [Float] {
    guard !residuals.original.isEmpty else { return outputs[batch] }
    var targets = outputs[batch]
    let original = residuals.original[batch], compressed = residuals.compressed[batch]
    for index in targets.indices { targets[index] += original[index] - compressed[index] }
    return targets
  }
}
