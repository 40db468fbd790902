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

  static let parts: [(Scheme, Scheme)] = [
    (.palette(bits: 4, .perGroup(size: 6)), .palette(bits: 2, .perGroup(size: 12))),
    (.int8(.perChannel), .palette(bits: 3, .perTensor)),
    (.palette(bits: 3, .perTensor), .linear(LinearScheme(.int4, granularity: .perChannel))),
  ]

  private static let rows = 1032
  private static let reference = WeightReference("table", [rows, width], role: .tokenTable)

  private static func compress(
    _ values: [Float], rows: Int, _ scheme: Scheme, _ memory: CalibrationMemory
  ) throws -> CompressedTensor.Content {
    try TableCompensation.compress(
      values, reference: WeightReference("table", [rows, width], role: .tokenTable),
      moments: try moments(), scheme: scheme, floats: .float16, options: GPTQOptions(),
      memory: memory, jobs: 2)
  }

  /// As a table that has no other rows.
  @Test(arguments: parts) func eachPartOfATableIsFittedAlone(
    _ first: Scheme, _ rest: Scheme
  ) throws {
    var numbers = SeededGenerator(seed: 8)
    let values = numbers.normals(Self.rows * Self.width, scale: 0.05)
    let split = SplitScheme(rows: 120, first: first, rest: rest)
    let content = try Self.compress(values, rows: Self.rows, .split(split), CalibrationMemory())
    let place = 120 * Self.width
    #expect(
      try content
        == .split(
          SplitCodes(
            rows: 120,
            first: Self.compress(
              Array(values[..<place]), rows: 120, first, CalibrationMemory()),
            rest: Self.compress(
              Array(values[place...]), rows: Self.rows - 120, rest, CalibrationMemory()))))
    let plain = split.compress(values, Self.reference, .float16, importance: nil, jobs: 1)
    #expect(content != plain)
    let tensor = try CompressedTensor(
      Self.reference, content, floats: .float16, relativeError: 0)
    #expect(tensor.scheme == .split(split))
  }

  /// Two splits that share a part, and the same rows in another scheme or place.
  @Test func partsAreFittedOnce() throws {
    var numbers = SeededGenerator(seed: 9)
    let values = numbers.normals(Self.rows * Self.width, scale: 0.05)
    let (small, large) = (Scheme.int8(.perChannel), Scheme.palette(bits: 2, .perGroup(size: 12)))
    let memory = CalibrationMemory()
    let whole = try Self.compress(
      values, rows: Self.rows, .split(SplitScheme(rows: 120, first: small, rest: large)), memory)
    guard case .split(let codes) = whole else {
      Issue.record("a split table has two parts")
      return
    }
    let split = SplitScheme(rows: 120, first: small, rest: large)
    let (first, rest) = split.parts(of: Self.reference)
    func known(_ part: SplitScheme.Part) -> CompressedTensor.Content? {
      var isKnown = true
      let content = memory.rows(of: part, .float16) { () throws(Never) in
        isKnown = false
        return .uncompressed([])
      }
      return isKnown ? content : nil
    }
    #expect(known(SplitScheme.Part(first, small)) == codes.first)
    #expect(known(SplitScheme.Part(rest, large, firstRow: 120)) == codes.rest)
    #expect(known(SplitScheme.Part(rest, large)) == nil)
    #expect(known(SplitScheme.Part(first, large)) == nil)
    #expect(known(SplitScheme.Part(Self.reference, small)) == nil)
  }
}
