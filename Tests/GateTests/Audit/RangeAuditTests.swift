import Graph
import ModelFixtures
import Testing

@testable import Gate

/// Values that a device computes in float16 are held to what float16 holds.
struct RangeAuditTests {
  /// A model where a device computes some values in float16, one input at a time.
  private struct Half: Architecture {
    static let name = "half"
    let base: any Architecture
    let float16Values: Set<String>
    var describingFiles: [String] { base.describingFiles }
    var input: ModelInput { base.input }
    var output: ModelOutput { base.output }
    var outputName: String { base.outputName }
    let shapes = GraphShapes.single(lengths: [1])
    func graph(batch: Int, length: Int) throws(GraphError) -> ModelGraph {
      try base.graph(batch: batch, length: length)
    }
  }

  /// 40 000 times x, then tanh, then as it was.
  private static let first: [[Float]] = [[40000, 0], [0, 1]]
  private static let second: [[Float]] = [[1, 0.5], [0.25, 1]]

  private func judge(float16Values: Set<String>, _ lines: [String]) throws -> Verdict {
    let baseline = try twoLayerModel(first: Self.first, second: Self.second, origin: "baseline")
    let candidate = try Model(
      origin: "candidate",
      architecture: Half(base: baseline.architecture, float16Values: float16Values),
      files: baseline.files, weights: baseline.weights)
    return try Gate(on: references(lines), Limits(profile: .strict), threshold: nil, jobs: 1).judge(
      [candidate], against: [baseline])
  }

  private static let small = (0..<10).map { pairLine([Float($0) / 10, 1], [1, Float($0) / 10]) }

  @Test func valuesInRangePass() throws {
    #expect(try judge(float16Values: ["features", "layer0_linear"], Self.small).isPassed)
  }

  @Test func aValueThatFloat16CannotHoldIsARefusalThatNamesIt() throws {
    let verdict = try judge(
      float16Values: ["layer0_linear"], Self.small + [pairLine([-2, 1], [0.5, 0.25])])
    #expect(!verdict.isPassed)
    #expect(
      verdict.reasons.contains(
        "the value 'layer0_linear' reaches 80000.0 on [-2.0, 1.0], float16 ends at 65504: "
          + "a device would overflow"))
    #expect(verdict.receipt == nil)
  }

  @Test func inputsCountToo() throws {
    let verdict = try judge(
      float16Values: ["features"], Self.small + [pairLine([1, 70000], [0.5, 0.25])])
    #expect(
      verdict.reasons.contains(
        "the value 'features' reaches 70000.0 on [1.0, 70000.0], float16 ends at 65504: "
          + "a device would overflow"))
  }

  @Test func valuesInFloat32MayBeLarge() throws {
    let lines = Self.small + [pairLine([-2, 1], [0.5, 0.25])]
    #expect(try judge(float16Values: ["layer1_linear"], lines).isPassed)
    #expect(try judge(float16Values: [], lines).isPassed)
  }
}
