import Formats
import Foundation
import Graph
import Inputs
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

/// The folder of all-MiniLM-L6-v2; nil where it was not fetched.
private let realModel = ProcessInfo.processInfo.environment["INGOT_MINILM"]

/// Predicted losses of every matrix of a real encoder beside those measured with it alone swapped.
@Suite(
  .enabled(
    if: Thoroughness.isExhaustive && realModel != nil,
    "takes minutes, and the real model: run scripts/test --exhaustive"))
struct RealPredictionTests {
  private static let sentences =
    "\(Program.repository)/Tests/InteropTests/Fixtures/sentences.jsonl"
  private static let schemes: [Scheme] = [
    .int8(.perChannel), .palette(bits: 6, .perTensor), .palette(bits: 4, .perTensor),
  ]

  @Test func predictionsFollowMeasuredSwaps() throws {
    let model = try ModelLoader.open(try #require(realModel))
    let set = try CalibrationSet(path: Self.sentences)
    let losses = try OutputLosses(of: model, on: set, jobs: 2)
    var candidates: [TensorName: [CompressedTensor]] = [:]
    for scheme in Self.schemes {
      let compressed = try WeightCompressor.compress(
        weights: try model.usedWeights(), from: model.weights,
        options: CompressionOptions(scheme: scheme), jobs: 2)
      for tensor in compressed.tensors where tensor.scheme != nil && losses.covers(tensor.name) {
        candidates[tensor.name, default: []].append(tensor)
      }
    }
    #expect(candidates.count > 30)
    let predicted = try losses.losses(of: candidates)
    let before = try ModelRunner(model: model, jobs: 2).outputs(for: set.inputs)
    var ratios = Self.schemes.map { _ in [Double]() }
    var pairs: [(predicted: Double, measured: Double)] = []
    for (name, tensors) in candidates.sorted(by: { $0.key < $1.key }) {
      for (place, tensor) in tensors.enumerated() {
        let measured = try measuredLoss(
          of: [tensor], in: model, set.inputs, before: before)
        let found = try #require(predicted[name]?[place])
        ratios[place].append(found / measured)
        pairs.append((found, measured))
      }
    }
    for (scheme, found) in zip(Self.schemes, ratios) {
      let sorted = found.sorted(), median = sorted[sorted.count / 2]
      print(
        "\(scheme.label): predicted / measured from \(sorted[0]) to \(sorted[sorted.count - 1]), "
          + "median \(median)")
      #expect((0.8...1.2).contains(median), "\(scheme.label): \(median)")
    }
    let correlation = Self.correlation(pairs)
    print("correlation of logarithms: \(correlation)")
    #expect(correlation > 0.99)
  }

  /// Pearson's, of the logarithms.
  private static func correlation(_ pairs: [(predicted: Double, measured: Double)]) -> Double {
    let x = pairs.map { log($0.predicted) }, y = pairs.map { log($0.measured) }
    let count = Double(pairs.count), meanX = x.reduce(0, +) / count,
      meanY = y.reduce(0, +) / count
    let products = zip(x, y).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
    func squares(_ values: [Double], _ mean: Double) -> Double {
      values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    }
    return products / (squares(x, meanX) * squares(y, meanY)).squareRoot()
  }
}
