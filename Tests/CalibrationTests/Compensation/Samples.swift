import Graph
import TestSupport
import WeightCompression
import Weights

@testable import Calibration

extension SeededGenerator {
  /// About normal, mean 0, variance 1.
  mutating func normal() -> Float {
    (0..<12).reduce(-6) { sum, _ in sum + Float.random(in: 0..<1, using: &self) }
  }

  mutating func normals(_ count: Int, scale: Float = 1) -> [Float] {
    (0..<count).map { _ in scale * normal() }
  }
}

/// A layer with inputs that hang together, made up.
struct SampleLayer {
  let outputs: Int
  let inputs: Int
  let rows: Int
  /// [outputs, inputs]
  var weights: [Float]
  var bias: [Float]
  /// [rows, inputs]
  var values: [Float]
  /// Outputs wanted [rows, outputs].
  var targets: [Float]
  var rowWeights: [Float]

  init(_ outputs: Int, _ inputs: Int, rows: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    (self.outputs, self.inputs, self.rows) = (outputs, inputs, rows)
    weights = generator.normals(outputs * inputs, scale: 0.05)
    bias = generator.normals(outputs)
    // Few sources behind many inputs, each input with a size of its own.
    let sources = max(1, inputs / 3)
    let mixing = generator.normals(sources * inputs)
    let sizes = (0..<inputs).map { _ in Float.random(in: 0.2..<3, using: &generator) }
    values = []
    for _ in 0..<rows {
      let hidden = generator.normals(sources)
      for i in 0..<inputs {
        var sum = 0.3 * generator.normal() + 0.5
        for s in 0..<sources { sum += hidden[s] * mixing[s * inputs + i] }
        values.append(sizes[i] * sum)
      }
    }
    rowWeights = (0..<rows).map { _ in Float.random(in: 0.1..<1, using: &generator) }
    targets = []
    targets = product(weights, bias)
  }

  /// Outputs of the inputs for other weights.
  func product(_ weights: [Float], _ bias: [Float]) -> [Float] {
    var results: [Float] = []
    for row in 0..<rows {
      for o in 0..<outputs {
        var sum = Double(bias[o])
        for i in 0..<inputs {
          sum += Double(values[row * inputs + i]) * Double(weights[o * inputs + i])
        }
        results.append(Float(sum))
      }
    }
    return results
  }

  /// Weighted mean squared error of all outputs for other weights.
  func error(_ weights: [Float], _ bias: [Float]) -> Double {
    let results = product(weights, bias)
    var (sum, total) = (0.0, 0.0)
    for row in 0..<rows {
      total += Double(rowWeights[row])
      for o in 0..<outputs {
        let error = Double(results[row * outputs + o] - targets[row * outputs + o])
        sum += Double(rowWeights[row]) * error * error
      }
    }
    return sum / total
  }

  func statistics(jobs: Int = 1) throws -> LayerStatistics {
    var statistics = LayerStatistics(inputs: inputs, outputs: outputs, jobs: jobs)
    try statistics.add(values, targets, rowWeights)
    return statistics
  }

  var reference: WeightReference {
    WeightReference("layer", [outputs, inputs], role: .matrix(outputAxis: 0))
  }

  func compressed(
    _ scheme: Scheme, floats: FloatType = .float16,
    options: GPTQOptions = GPTQOptions(), jobs: Int = 1
  ) throws -> CompensatedWeight {
    try GPTQCompensation.compress(
      weights, reference: reference, statistics: statistics(jobs: jobs), scheme: scheme,
      floats: floats, options: options, jobs: jobs)
  }
}

extension LayerStatistics {
  mutating func add(_ inputs: [Float], _ targets: [Float], _ weights: [Float]) throws {
    try inputs.withUnsafeBufferPointer { inputs in
      try targets.withUnsafeBufferPointer { targets in
        try add(inputs: inputs, targets: targets, rowWeights: weights)
      }
    }
  }
}

extension CompensatedWeight {
  /// The values a model computes with.
  func values(_ reference: WeightReference, _ floats: FloatType = .float16) throws -> [Float] {
    try CompressedTensor(reference, content, floats: floats, relativeError: 0).dequantized()
  }
}

/// The schemes that are tried.
enum Schemes {
  static let palettes: [Scheme] = [
    .palette(bits: 1, .perTensor),
    .palette(bits: 2, .perGroup(size: 4)),
    .palette(bits: 3, .perGroup(size: 2)),
    .palette(bits: 4, .perTensor),
    .palette(bits: 8, .perGroup(size: 8)),
    .palette(PaletteScheme(bits: 4, granularity: .perGroup(size: 4), entries: .int8)),
  ]

  static let linear: [Scheme] = LinearScheme.Integers.allCases.flatMap { integers in
    LinearScheme.Mode.allCases.flatMap { mode in
      LinearScheme.Range.allCases.flatMap { range in
        [LinearScheme.Granularity.perTensor, .perChannel, .perBlock(size: 4)].map {
          Scheme.linear(LinearScheme(integers, mode: mode, granularity: $0, range: range))
        }
      }
    }
  }

  static let all = palettes + linear
}
