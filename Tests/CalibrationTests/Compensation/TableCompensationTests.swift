import Graph
import TestSupport
import Testing
import WeightCompression
import Weights

@testable import Calibration

/// Tables that are fitted to what errors of their rows cost.
@Suite struct TableCompensationTests {
  private static let width = 16

  private static func moments() throws -> LayerMoments {
    var numbers = SeededGenerator(seed: 6)
    let mixing = numbers.normals(4 * width)
    var statistics = LayerStatistics(inputs: width, outputs: 0)
    let rows = (0..<500).flatMap { _ -> [Float] in
      let hidden = numbers.normals(4)
      return (0..<width).map { place in
        0.2 * numbers.normal()
          + (0..<4).reduce(0) { $0 + hidden[$1] * mixing[$1 * width + place] }
      }
    }
    try statistics.add(rows, [], [Float](repeating: 1, count: 500))
    return try statistics.moments()
  }

  private static func loss(_ errors: [Float], _ moments: LayerMoments) -> Double {
    stride(from: 0, to: errors.count, by: width).reduce(0) { sum, first in
      sum
        + (0..<width).reduce(0) { sum, i in
          (0..<width).reduce(sum) { sum, j in
            let moment = moments.covariance(i, j) + moments.inputMeans[i] * moments.inputMeans[j]
            return sum + moment * Double(errors[first + i]) * Double(errors[first + j])
          }
        }
    }
  }

  /// More rows than one slice has, not a whole number of them.
  @Test(arguments: [
    Scheme.palette(bits: 4, .perGroup(size: 6)), .palette(bits: 3, .perTensor),
    .int8(.perChannel), .linear(LinearScheme(.int4, mode: .asymmetric, granularity: .perChannel)),
    .palette(PaletteScheme(bits: 4, granularity: .perGroup(size: 6), entries: .int8)),
  ])
  func losesLessThanPlainCompression(_ scheme: Scheme) throws {
    let rows = 4098
    var numbers = SeededGenerator(seed: 2)
    let values = numbers.normals(rows * Self.width, scale: 0.05)
    let reference = WeightReference("table", [rows, Self.width], role: .tokenTable)
    let moments = try Self.moments()
    func compressed(_ jobs: Int) throws -> CompressedTensor.Content {
      try TableCompensation.compress(
        values, reference: reference, moments: moments, scheme: scheme, floats: .float16,
        options: GPTQOptions(), jobs: jobs)
    }
    func errors(_ content: CompressedTensor.Content) throws -> [Float] {
      let tensor = try CompressedTensor(
        reference, content, floats: .float16, relativeError: 0)
      #expect(tensor.scheme == scheme)
      return zip(tensor.dequantized(), values).map { $0 - $1 }
    }
    let content = try compressed(1)
    #expect(try compressed(3) == content)
    let plain = scheme.own.compress(values, reference, .float16, importance: nil, jobs: 1)
    #expect(try Self.loss(errors(content), moments) < 0.95 * Self.loss(errors(plain), moments))
  }
}
